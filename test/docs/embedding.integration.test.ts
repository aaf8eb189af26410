import { execFileSync } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";
import { installed, runs } from "../support/installed.js";
import { folderWith } from "../support/snippets.js";
import { sized } from "../support/soak.js";
import { startHost } from "../support/started-host.js";

const DOCUMENT = await readFile(path.join(PROJECT_ROOT, "docs/embedding.md"), "utf8");
const HOSTS = ["hono.mjs", "express.mjs", "server.cjs", "fastify.mjs", "koa.mjs"];
const PACKAGES = ["hono", "@hono/node-server", "express", "fastify", "koa"];

async function folderWithData(...names: readonly string[]): Promise<string> {
  const folder = await folderWith(DOCUMENT, PACKAGES, names);
  const session = path.join(folder, "data/tenants/acme/sessions/s1");
  await mkdir(session, { recursive: true });
  await writeFile(path.join(session, "session.jsonl"), '{"type":"init","createdAt":1,"title":"A title"}\n');
  return folder;
}

/** What a host that embeds the inspector answers, whatever it is made of. */
async function expectEmbedded(ask: (path: string) => Promise<Response>): Promise<void> {
  const list = await ask("/inspect/api/sessions");
  expect(list.headers.get("content-type")).toContain("application/json");
  expect(await list.json()).toMatchObject({ sessions: [{ tenantId: "acme", title: "A title" }] });
  expect((await ask("/inspect/api/sessions/s1/trace?tenantId=globex")).status).toBe(404);
  const page = await ask("/inspect/");
  expect(page.headers.get("content-type")).toContain("text/html");
  const html = await page.text();
  expect(html).toContain("/inspect/api");
  const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(html)?.[1];
  const asset = await ask(`/inspect/${script}`);
  expect([asset.status, asset.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("javascript"),
  ]);
  expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(100);
}

/** Runs the host in a process of its own, and asks it. */
async function expectServed(command: string, args: readonly string[], folder: string): Promise<string> {
  const { base } = await startHost(command, args, folder, "/inspect/api/health");
  await expectEmbedded((path_) => fetch(base + path_));
  const redirected = await fetch(`${base}/inspect`);
  expect([redirected.status, new URL(redirected.url).pathname]).toEqual([200, "/inspect/"]);
  return base;
}

describe("docs/embedding.md", () => {
  it.each(HOSTS.slice(0, sized(3, 5)))("puts the API and the page into an application: %s", async (name) => {
    const folder = await folderWithData("inspector.mjs", name);
    const base = await expectServed(process.execPath, [name], folder);
    expect(await (await fetch(base)).text()).toBe("the host");
  });

  it("has a route handler that answers as Next.js calls it: a Request with the whole address", async () => {
    const folder = await folderWithData("inspector.mjs", "route.mjs", "next.config.mjs");
    const route = path.join(folder, "app/inspect/[[...path]]");
    await mkdir(route, { recursive: true });
    await rename(path.join(folder, "route.mjs"), path.join(route, "route.mjs"));
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    const handler = (await import(pathToFileURL(path.join(route, "route.mjs")).href)) as {
      readonly GET: (request: Request) => Promise<Response>;
      readonly HEAD: (request: Request) => Promise<Response>;
      readonly runtime: string;
    };
    expect(handler.runtime).toBe("nodejs");
    await expectEmbedded((address) => handler.GET(new Request(`http://host${address}`)));
    const head = await handler.HEAD(new Request("http://host/inspect/api/sessions", { method: "HEAD" }));
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const { source } = (await import(pathToFileURL(path.join(folder, "inspector.mjs")).href)) as {
      readonly source: { close(): Promise<void> };
    };
    await source.close();
  });

  it("asks with the client", async () => {
    const folder = await folderWithData("inspector.mjs", "hono.mjs", "ask.mjs");
    const base = await expectServed(process.execPath, ["hono.mjs"], folder);
    const env = { ...process.env, PORT: new URL(base).port };
    const printed = execFileSync(process.execPath, ["ask.mjs"], { cwd: folder, encoding: "utf8", env });
    expect(printed).toBe("A title 0\nnot_found 404\n");
  });
});

const RUNTIMES = [
  ["bun", "1.4.5", ["run"]],
  ["deno", "2.9.6", ["run", "--allow-all", "--node-modules-dir=manual"]],
] as const;

// They are installed first: in a soak alone.
it.for(RUNTIMES.slice(0, sized(0, 2)))(
  "docs/embedding.md puts the API and the page into an application of %s %s",
  { timeout: 180_000 },
  async ([runtime, version, args], { skip }) => {
    const modules = await installed(await temporaryFolder(), [`${runtime}@${version}`]);
    const command = path.join(modules, ".bin", runtime);
    if (!runs(command)) return skip(`npm could not install ${runtime}@${version} here`);
    const folder = await folderWithData("inspector.mjs", `${runtime}.mjs`);
    await expectServed(command, [...args, `${runtime}.mjs`], folder);
  },
);
