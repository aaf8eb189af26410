import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";
import { installed, packedInto, runs } from "../support/installed.js";
import { snippetIn, writeSnippets } from "../support/snippets.js";
import { type StartedHost, startHost } from "../support/started-host.js";

const DOCUMENT = readFileSync(path.join(PROJECT_ROOT, "docs/bundling.md"), "utf8");
const EMBEDDING = readFileSync(path.join(PROJECT_ROOT, "docs/embedding.md"), "utf8");
const APP = snippetIn(DOCUMENT, "app.mjs");
const UNTOLD = APP.replace(", threads: false", "").replace('{ assets: "dist/inspector-ui" }', "");

let tarball: string;
let modules: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bundling-"));
  tarball = packedInto(folder);
  const tools = ["esbuild@0.28.2", "bun@1.4.5", "vite@8.3.8", "workerd@1.20261117.1", "@vercel/nft@1.11.5"];
  modules = await installed(folder, [
    tarball,
    "hono@4.13.19",
    "@hono/node-server@2.1.8",
    "express@5.3.0",
    ...tools,
  ]);
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns a folder with only the `dist` of the build */
async function built(script: string, files: Readonly<Record<string, string>>): Promise<string> {
  const source = await temporaryFolder();
  symlinkSync(modules, path.join(source, "node_modules"));
  for (const [name, text] of Object.entries({ "package.json": "{}", ...files }))
    writeFileSync(path.join(source, name), text);
  execFileSync("sh", ["-ec", snippetIn(DOCUMENT, script)], { cwd: source, stdio: "pipe" });
  const deployed = await temporaryFolder();
  await cp(path.join(source, "dist"), path.join(deployed, "dist"), { recursive: true });
  return deployed;
}

async function expectInspected({ base }: Pick<StartedHost, "base">, api = "/__inspector"): Promise<void> {
  const { sessionId } = (await (await fetch(`${base}/chat`, { method: "POST" })).json()) as {
    readonly sessionId: string;
  };
  const { sessions } = (await (await fetch(`${base}${api}/sessions`)).json()) as {
    readonly sessions: readonly { readonly sessionId: string; readonly tenantId: string }[];
  };
  const own = sessions.find((session) => session.sessionId === sessionId);
  expect(own).toMatchObject({ title: "A title" });
  const trace = await fetch(`${base}${api}/sessions/${sessionId}/trace?tenantId=${own?.tenantId}`);
  expect(await trace.json()).toMatchObject({ envelopes: [{ event: { text: "your agent goes here" } }] });
  const search = await fetch(`${base}${api}/search?q=agent`);
  expect(await search.json()).toMatchObject({ hits: [{ sessionId }] });
}

async function expectPage(base: string): Promise<void> {
  const page = await fetch(`${base}/inspect`);
  const html = await page.text();
  expect([page.status, html]).toEqual([200, expect.stringContaining("inspector-api")]);
  const names = [...html.matchAll(/\.\/(assets\/[\w.-]+)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(1);
  const sizes = names.map(async (name) => {
    const asset = await fetch(`${base}/inspect/${name}`);
    expect([name, asset.status]).toEqual([name, 200]);
    return (await asset.text()).length;
  });
  expect(Math.min(...(await Promise.all(sizes)))).toBeGreaterThan(0);
}

const EXPRESS = `
  import { mountInspector } from "agent-inspector";
  import { createInMemoryInspectorDataSource, SessionRecorder } from "agent-inspector/advanced";
  import express from "express";
  const source = createInMemoryInspectorDataSource();
  const recorder = new SessionRecorder(source.sessionStore);
  const app = express();
  app.post("/chat", async (request, response) => {
    const session = await recorder.open({ tenantId: "acme", title: "A title" });
    await session.startTrace().record({ type: "text", text: "your agent goes here" });
    response.json({ sessionId: session.sessionId });
  });
  app.use(mountInspector({ source, threads: false, assets: "dist/inspector-ui" }).listener);
  app.listen(Number(process.env.PORT));`;

const BUNDLERS = [
  ["esbuild.sh", "server.mjs"],
  ["esbuild-cjs.sh", "server.cjs"],
  ["bun.sh", "server.mjs"],
  ["vite.sh", "server.mjs"],
] as const;

describe.each(BUNDLERS)("docs/bundling.md: %s", (script, file) => {
  const config = { "vite.config.mjs": snippetIn(DOCUMENT, "vite.config.mjs") };

  it("makes a bundle that shows what it records, and the page", async () => {
    const deployed = await built(script, { "app.mjs": APP, ...config });
    const host = await startHost(process.execPath, [`dist/${file}`], deployed, "/__inspector/health");
    await expectInspected(host);
    await expectPage(host.base);
    expect(host.said()).toBe("");
  });

  it("makes one that warns once, and says what to configure, where it was told nothing", async () => {
    const deployed = await built(script, { "app.mjs": UNTOLD, ...config });
    const host = await startHost(process.execPath, [`dist/${file}`], deployed, "/__inspector/health");
    await expectInspected(host);
    const page = await fetch(`${host.base}/inspect/`);
    expect([page.status, await page.text()]).toEqual([500, expect.stringContaining("docs/bundling.md")]);
    expect(host.said().match(/AGENT_INSPECTOR_NO_THREADS/g)).toHaveLength(1);
    // Beside its packages, a bundle takes the page's files from them.
    symlinkSync(modules, path.join(deployed, "node_modules"));
    const other = await startHost(process.execPath, [`dist/${file}`], deployed, "/__inspector/health");
    await expectPage(other.base);
  });
});

describe("docs/bundling.md", () => {
  it("is true of an application of Express, too, with mountInspector", async () => {
    const deployed = await built("esbuild-cjs.sh", { "app.mjs": EXPRESS });
    const host = await startHost(process.execPath, ["dist/server.cjs"], deployed, "/inspect/api/health");
    await expectInspected(host, "/inspect/api");
    await expectPage(host.base);
    expect(host.said()).toBe("");
  });

  it("leaves the package out of a bundle, which has threads and the page then", async () => {
    const deployed = await built("external.sh", { "app.mjs": UNTOLD });
    symlinkSync(modules, path.join(deployed, "node_modules"));
    const host = await startHost(process.execPath, ["dist/server.mjs"], deployed, "/__inspector/health");
    await expectInspected(host);
    await expectPage(host.base);
    expect(host.said()).toBe("");
  });

  it("is seen whole by what traces the files of an application", async () => {
    const project = path.join(folder, "traced");
    await mkdir(project, { recursive: true });
    writeFileSync(path.join(project, "app.mjs"), UNTOLD);
    const trace = `
      const { nodeFileTrace } = await import("@vercel/nft");
      const { fileList } = await nodeFileTrace(["traced/app.mjs"]);
      console.log([...fileList].join("\\n"));`;
    const list = execFileSync(process.execPath, ["--input-type=module", "-e", trace], {
      cwd: folder,
      encoding: "utf8",
    });
    const deployed = await temporaryFolder();
    for (const name of list.trim().split("\n")) cpSync(path.join(folder, name), path.join(deployed, name));
    const host = await startHost(process.execPath, ["traced/app.mjs"], deployed, "/__inspector/health");
    await expectInspected(host);
    await expectPage(host.base);
    expect(host.said()).toBe("");
  });

  it("has a function for AWS Lambda, which has written all when it has answered", async () => {
    const lambda = snippetIn(DOCUMENT, "lambda.mjs");
    const deployed = path.join(await built("lambda.sh", { "lambda.mjs": lambda }), "dist");
    const dataDir = await temporaryFolder();
    const runtime = path.join(PROJECT_ROOT, "test/support/lambda-runtime.mjs");
    const host = await startHost(process.execPath, [runtime, "lambda.mjs"], deployed, "/inspect/", {
      DATA_DIR: dataDir,
    });
    await fetch(`${host.base}/chat`, { method: "POST" });
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true });
    const written = files
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"));
    expect(written.join("")).toContain("your agent goes here");
    await rm(dataDir, { recursive: true });
    await expectInspected(host);
    await expectPage(host.base);
    expect(host.said()).toBe("");
  });

  it("has a Dockerfile, whose commands install and start an application with threads", async () => {
    const context = await temporaryFolder();
    await writeSnippets(context, DOCUMENT, ["server.mjs"]);
    writeFileSync(path.join(context, "package.json"), "{}");
    const packages = [tarball, "hono@4.13.19", "@hono/node-server@2.1.8"];
    execFileSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund", ...packages], {
      cwd: context,
      stdio: "pipe",
    });
    const home = await temporaryFolder();
    const { command, cwd, env } = runDockerfile(snippetIn(DOCUMENT, "Dockerfile"), context, home);
    const { PORT: _, ...given } = env;
    const [file = "", ...args] = command;
    const host = await startHost(file, args, cwd, "/__inspector/health", given);
    await expectInspected(host);
    await expectPage(host.base);
    host.process.kill("SIGTERM");
    const [code] = (await new Promise<unknown[]>((resolve) =>
      host.process.once("exit", (...all) => resolve(all)),
    )) as [number | null];
    expect([code, host.said()]).toEqual([0, ""]);
  });

  it("has a configuration of Next.js whose standalone output has threads and the page", async ({ skip }) => {
    const project = await temporaryFolder();
    const next = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];
    const found = await installed(project, [tarball, "hono@4.13.19", ...next]);
    if (!runs(path.join(found, ".bin/next"))) return skip("npm could not install Next.js here");
    await writeSnippets(project, DOCUMENT, ["next.config.mjs"]);
    await writeSnippets(project, EMBEDDING, ["histories.mjs", "next.js"]);
    const route = path.join(project, "app/inspect/[[...path]]");
    await mkdir(route, { recursive: true });
    await rename(path.join(project, "next.js"), path.join(route, "route.js"));
    writeFileSync(
      path.join(project, "app/layout.js"),
      "export default ({ children }) => <html><body>{children}</body></html>;",
    );
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" as const };
    execFileSync(path.join(found, ".bin/next"), ["build"], { cwd: project, stdio: "pipe", env });
    const deployed = await temporaryFolder();
    cpSync(path.join(project, ".next/standalone"), deployed, { recursive: true, verbatimSymlinks: true });
    const session = path.join(deployed, "data/tenants/acme/sessions/s1");
    await mkdir(session, { recursive: true });
    writeFileSync(
      path.join(session, "session.jsonl"),
      '{"type":"init","createdAt":1,"title":"A title"}\n{"type":"turn","turnIndex":0}\n',
    );
    const host = await startHost(process.execPath, ["server.js"], deployed, "/inspect/api/health", {
      HOSTNAME: "127.0.0.1",
    });
    const list = (await (await fetch(`${host.base}/inspect/api/sessions`)).json()) as object;
    expect(list).toMatchObject({ sessions: [{ title: "A title" }] });
    await expectPage(host.base);
    expect(host.said()).toBe("");
  });
});

/** Runs the steps of a Dockerfile in folders and returns its start command: `/home/node` is the second folder. */
function runDockerfile(
  text: string,
  context: string,
  home: string,
): {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
} {
  let cwd = "/";
  let command: readonly string[] = [];
  const env: Record<string, string> = {};
  for (const line of text.replaceAll("/home/node", home).trim().split("\n")) {
    const [instruction = "", rest = ""] = line.split(/ (.*)/s);
    if (instruction === "WORKDIR") {
      cwd = rest;
      execFileSync("mkdir", ["-p", cwd]);
    } else if (instruction === "COPY") {
      const names = rest.split(" ");
      const target = path.resolve(cwd, names.pop() ?? "");
      for (const name of names) cpSync(path.join(context, name), path.join(target, name));
    } else if (instruction === "RUN") {
      execFileSync("sh", ["-ec", rest], { cwd, stdio: "pipe" });
    } else if (instruction === "ENV") {
      for (const [, name = "", value = ""] of rest.matchAll(/(\w+)=(\S+)/g)) env[name] = value;
    } else if (instruction === "CMD") {
      command = JSON.parse(rest) as string[];
    } else {
      expect(["FROM", "USER", "EXPOSE"]).toContain(instruction);
    }
  }
  return { command, cwd, env };
}

describe("docs/embedding.md at the edge", () => {
  it("runs in the runtime of Cloudflare's Workers, without what is of Node.js", async ({ skip }) => {
    const workerd = path.join(modules, ".bin/workerd");
    if (!runs(workerd)) return skip("npm could not install workerd here");
    const source = await temporaryFolder();
    symlinkSync(modules, path.join(source, "node_modules"));
    await writeSnippets(source, EMBEDDING, ["worker.mjs"]);
    writeFileSync(path.join(source, "stored.mjs"), STORED);
    const bundle = ["worker.mjs", "--bundle", "--format=esm", "--conditions=workerd", "--outfile=out.mjs"];
    execFileSync(path.join(modules, ".bin/esbuild"), bundle, { cwd: source, stdio: "pipe" });
    writeFileSync(path.join(source, "config.capnp"), WORKERD_CONFIG);
    const start = `exec ${workerd} serve config.capnp --socket-addr http=127.0.0.1:$PORT`;
    const host = await startHost("sh", ["-c", start], source, "/__inspector/health");
    await expectInspected(host);
    const ask = async (question: string): Promise<unknown> =>
      (await fetch(`${host.base}/__inspector${question}`)).json();
    // The stored trace has its own sequences, and is longer than one window.
    expect(await ask("/sessions/g1/trace?tenantId=stored:globex&limit=2")).toMatchObject({
      envelopes: [{ sequence: 0 }, { sequence: 1 }],
      nextCursor: expect.any(String),
    });
    expect(await ask("/sessions/g1/messages?tenantId=stored:globex")).toMatchObject({
      messages: [{ role: "user", content: "größer" }],
    });
    expect(await ask("/sessions/g1/summary?tenantId=stored:globex")).toMatchObject({
      total: { calls: 1, usage: { inputTokens: 1_000 }, cost: { unpricedCalls: 0 } },
    });
    expect(await ask("/search?q=re:need.e")).toMatchObject({
      hits: [{ sessionId: "g1" }],
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => ask("/sessions?limit=1")));
    expect(new Set(all.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(host.said()).toBe("");
  });
});

const STORED = `
  const of = (sequence, traceId, event) => ({
    id: traceId + sequence, timestamp: "2026-01-01T00:00:0" + sequence + ".000Z", sequence, source: "runtime",
    sessionId: "g1", tenantId: "globex", traceId, event,
  });
  export const stored = {
    listSessions: async () => [{
      tenantId: "globex", sessionId: "g1", userId: "", title: "Stored", lastActive: "2026-01-01T00:00:00.000Z",
      turns: 1, tokens: 0, status: "idle",
    }],
    loadTraceEnvelopes: async () => [
      of(5, "t1", { type: "text", text: "a needle" }),
      of(5, "t2", { type: "text", text: "hay" }),
      of(6, "t2", { type: "llm.end", model: "claude-sonnet-4-5", usage: { inputTokens: 1000, outputTokens: 1 } }),
    ],
    loadOrchestrationEvents: async () => [],
    loadOrchestrationState: async () => null,
    loadMessages: async () => [{ role: "user", content: "größer" }],
  };`;

const WORKERD_CONFIG = `
  using Workerd = import "/workerd/workerd.capnp";
  const config :Workerd.Config = (
    services = [(name = "main", worker = .worker)],
    sockets = [(name = "http", address = "*:0", http = (), service = "main")]
  );
  const worker :Workerd.Worker = (
    modules = [(name = "worker", esModule = embed "out.mjs")],
    compatibilityDate = "2026-01-01",
  );`;
