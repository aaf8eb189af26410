import { execFileSync, spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFilesystemSessionStore, SessionRecorder } from "../../src/advanced.js";
import type { InspectorSessionItem } from "../../src/index.js";
import { PROJECT_ROOT } from "../support/build.js";
import { folderWith, freePort, snippetIn } from "../support/snippets.js";

const README = await readFile(path.join(PROJECT_ROOT, "README.md"), "utf8");
const PAGES = ["data-sources", "embedding", "http-api", "recording"];
const DOCUMENTS = [
  README,
  ...(await Promise.all(PAGES.map((name) => readFile(path.join(PROJECT_ROOT, `docs/${name}.md`), "utf8")))),
].join("\n");

interface SessionList {
  readonly sessions: readonly InspectorSessionItem[];
}

const snippet = (name: string) => snippetIn(DOCUMENTS, name);

const folderWithSnippets = (...names: readonly string[]) =>
  folderWith(DOCUMENTS, ["hono", "@hono/node-server", "@anthropic-ai/sdk"], names);

const run = (folder: string, script: string) =>
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, encoding: "utf8" });

interface StartedSnippet {
  readonly address: string;
  ported(text: string): string;
}

async function start(name: string, folder: string, env: NodeJS.ProcessEnv = {}): Promise<StartedSnippet> {
  const port = await freePort();
  const ported = (text: string) => text.replaceAll("3000", String(port));
  await writeFile(path.join(folder, name), ported(snippet(name)));
  const app = spawn(process.execPath, [name], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void app.kill());
  for await (const line of createInterface(app.stdout)) {
    const [, address] = /^Open (http:\S+)$/.exec(line) ?? [];
    if (address !== undefined) return { address, ported };
  }
  throw new Error(`${name} ended with ${app.exitCode}, and printed no address`);
}

describe("the README and the documents that it leads to", () => {
  it("takes a newcomer to their own agent's session", async () => {
    const { address, ported } = await start("app.mjs", await folderWithSnippets());

    const sh = (script: string, env: Record<string, string> = {}) =>
      execFileSync("sh", ["-ec", ported(script).replaceAll("curl ", "curl -sS ")], {
        encoding: "utf8",
        env: { ...process.env, ...env },
      });
    const talked = sh(snippet("talk.sh"));
    const sessionId = /"sessionId":"([^"]+)"/.exec(talked)?.[1] ?? "";
    const [listed] = (JSON.parse(/\{"sessions".*/.exec(talked)![0]) as SessionList).sessions;
    expect(listed).toMatchObject({ title: "What time is it?", turns: 1, tokens: 1208, status: "idle" });
    expect(listed!.cost?.usd).toBeGreaterThan(0);
    const inspected = sh(snippet("look.sh"), { SESSION_ID: sessionId });
    for (const part of ["turn.start", "llm.start", "llm.end", "turn.end", '"role":"assistant"']) {
      expect(inspected).toContain(part);
    }
    const page = await fetch(address);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("html")]);
    expect(await page.text()).toContain("/__inspector");
  });

  it("swaps the source for an object with five methods, in as many lines", async () => {
    const { address } = await start("own-source.mjs", await folderWithSnippets());
    expect(await (await fetch(address)).text()).toContain('"sessionId":"s1"');
    const messages = await fetch(`${address}/s1/messages?tenantId=acme`);
    expect(await messages.text()).toBe('{"messages":[{"role":"user","content":"hello from acme"}]}');
  });

  it("shows several sources as one", async () => {
    const folder = await folderWithSnippets();
    const session = path.join(folder, "data/tenants/acme/sessions/s1");
    await mkdir(session, { recursive: true });
    await writeFile(path.join(session, "session.jsonl"), '{"type":"init","createdAt":1}\n');
    const { address } = await start("combined.mjs", folder);
    const { sessions } = (await (await fetch(`${address}?source=support`)).json()) as SessionList;
    expect(sessions).toMatchObject([{ tenantId: "support:acme", source: "Support agent" }]);
  });

  it("mounts the inspector in a server of one's own", async () => {
    const { address } = await start("mount.mjs", await folderWithSnippets());
    expect(await (await fetch(`${address}/api/sessions`)).text()).toBe('{"sessions":[]}');
    expect(await (await fetch(address)).text()).toContain("./api");
  });

  it("shows its users their own tenants, and others nothing", async () => {
    const folder = await folderWithSnippets();
    const store = createFilesystemSessionStore(path.join(folder, "data"));
    const recorder = new SessionRecorder(store);
    for (const tenantId of ["acme", "globex"]) await recorder.open({ tenantId, title: `of ${tenantId}` });
    const { address } = await start("guarded.mjs", folder, { ADA_PASSWORD: "lovelace" });
    const ask = (user: string) =>
      fetch(address, { headers: user === "" ? {} : { Authorization: `Basic ${btoa(user)}` } });
    for (const user of ["", "ada:wrong", "eve:", "root:"])
      expect([user, (await ask(user)).status]).toEqual([user, 401]);
    const { sessions } = (await (await ask("ada:lovelace")).json()) as SessionList;
    expect(sessions.map(({ title }) => title)).toEqual(["of acme"]);
  });

  it("guards with middleware in front", async () => {
    const folder = await folderWithSnippets("guard-in-front.mjs");
    const script = `
      process.env.INSPECTOR_TOKEN = "secret-token";
      const { app } = await import("./guard-in-front.mjs");
      for (const path of ["", "/", "/health", "/sessions", "/nowhere"]) {
        for (const token of ["", "Bearer wrong", "Bearer secret-token"]) {
          const response = await app.request("/__inspector" + path, { headers: { Authorization: token } });
          console.log(response.status);
        }
      }`;
    const statuses = run(folder, script).trim().split("\n").map(Number);
    const isRefused = (status: number) => [400, 401].includes(status);
    expect(statuses.filter((_, i) => i % 3 < 2).every(isRefused)).toBe(true);
    expect(statuses.filter((_, i) => i % 3 === 2)).toStrictEqual([404, 404, 200, 200, 404]);
  });

  it("has at most 150 lines in the README", () => {
    expect(README.split("\n").length - 1).toBeLessThanOrEqual(150);
  });

  it("links to files that are there", async () => {
    const targets = [...README.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target]) => target ?? "");
    expect(targets.length).toBeGreaterThan(5);
    for (const target of targets)
      await readFile(path.join(PROJECT_ROOT, target)).catch((error) => {
        if (error.code !== "EISDIR") throw new Error(`README.md links to ${target}, which is not there`);
      });
  });
});
