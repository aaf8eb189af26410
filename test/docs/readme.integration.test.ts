import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { InspectorSessionItem } from "../../src/index.js";
import { PROJECT_ROOT } from "../support/build.js";
import { folderWith, freePort, snippetIn } from "../support/snippets.js";

const README = await readFile(path.join(PROJECT_ROOT, "README.md"), "utf8");
const DOCUMENTS = README + (await readFile(path.join(PROJECT_ROOT, "docs/http-api.md"), "utf8"));

interface SessionList {
  readonly sessions: readonly InspectorSessionItem[];
}

const snippet = (name: string) => snippetIn(DOCUMENTS, name);

/** A folder as `npm install agent-inspector hono @hono/node-server @anthropic-ai/sdk` leaves it, with some snippets in it. */
const folderWithSnippets = (...names: readonly string[]) =>
  folderWith(DOCUMENTS, ["hono", "@hono/node-server", "@anthropic-ai/sdk"], names);

const run = (folder: string, script: string) =>
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, encoding: "utf8" });

async function untilListening(app: ChildProcess, base: string): Promise<void> {
  const ended = once(app, "exit").then(([code]) => {
    throw new Error(`the application ended with ${code}`);
  });
  const answered = vi.waitFor(() => fetch(`${base}/__inspector/health`), { timeout: 30_000 });
  await Promise.race([answered, ended]);
}

describe("the README", () => {
  it("takes a newcomer to their own agent's session", async () => {
    const folder = await folderWithSnippets("app.mjs");
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const ported = (text: string) => text.replaceAll("3000", String(port));
    await writeFile(path.join(folder, "app.mjs"), ported(snippet("app.mjs")));
    const app = spawn(process.execPath, ["app.mjs"], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"],
    });
    onTestFinished(() => {
      app.kill();
    });
    await untilListening(app, base);

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
    const address = /<(http:\/\/127\.0\.0\.1:3000\/[^>]+)>/.exec(README)?.[1] ?? "";
    const page = await fetch(ported(address));
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("html")]);
    expect(await page.text()).toContain("/__inspector");
  });

  it("says of a session what the list shows, without inventing a status", async () => {
    const folder = await folderWithSnippets("sqlite-like.mjs");
    expect(run(folder, 'await import("./sqlite-like.mjs")')).toBe(
      "{ kind: 'turn', phase: 'start' }\nrunning\n",
    );
  });

  it("swaps the source for an object with five methods, in as many lines", async () => {
    const folder = await folderWithSnippets("own-source.mjs");
    const script = `
      import { app } from "./own-source.mjs";
      const response = await app.request("/__inspector/sessions/s1/messages?tenantId=acme");
      console.log(await response.text());`;
    expect(run(folder, script)).toContain('{"messages":[{"role":"user","content":"hello from acme"}]}');
  });

  it("shows several sources as one", async () => {
    const folder = await folderWithSnippets("combined.mjs");
    const session = path.join(folder, "data/tenants/acme/sessions/s1");
    await mkdir(session, { recursive: true });
    await writeFile(path.join(session, "session.jsonl"), '{"type":"init","createdAt":1}\n');
    const script = `
      import { app, source } from "./combined.mjs";
      const response = await app.request("/__inspector/sessions?source=support");
      console.log(JSON.stringify((await response.json()).sessions.map((one) => [one.tenantId, one.source])));
      await source.close();`;
    expect(run(folder, script).trim()).toBe('[["support:acme","Support agent"]]');
  });

  it("mounts the inspector in a server of one's own", async () => {
    const folder = await folderWithSnippets("mount.mjs");
    const script = `
      import { server } from "./mount.mjs";
      server.listen(0, async () => {
        const base = "http://127.0.0.1:" + server.address().port;
        console.log(await (await fetch(base + "/inspect/api/sessions")).text());
        console.log((await (await fetch(base + "/inspect")).text()).includes("./api"));
        process.exit();
      });`;
    expect(run(folder, script).trim()).toBe('{"sessions":[]}\ntrue');
  });

  it("shows its users their own tenants, and others nothing", async () => {
    const folder = await folderWithSnippets("guarded.mjs");
    const script = `
      process.env.ADA_PASSWORD = "lovelace";
      const { app } = await import("./guarded.mjs");
      for (const tenantId of ["acme", "globex"]) await app.sessions.open({ tenantId, title: "of " + tenantId });
      const ask = async (user) => {
        const headers = user ? { Authorization: "Basic " + btoa(user) } : {};
        const response = await app.request("/__inspector/sessions", { headers });
        return response.status + " " + (await response.text()).replace(/.*?"title":"(.*?)"|.*$/g, "$1");
      };
      for (const user of [undefined, "ada:wrong", "eve:", "root:", "ada:lovelace"]) console.log(await ask(user));
      await app.close();`;
    expect(
      run(folder, script)
        .split("\n")
        .map((line) => line.trim()),
    ).toStrictEqual(["401", "401", "401", "401", "200 of acme", ""]);
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

  it("links to files that are there", async () => {
    const targets = [...README.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target]) => target ?? "");
    expect(targets.length).toBeGreaterThan(5);
    for (const target of targets)
      await readFile(path.join(PROJECT_ROOT, target)).catch((error) => {
        if (error.code !== "EISDIR") throw new Error(`README.md links to ${target}, which is not there`);
      });
  });
});
