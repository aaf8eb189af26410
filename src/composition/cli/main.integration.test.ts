import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settled } from "../../../test/support/cached-lists.js";

/** The command as it is installed: built before all tests. */
const MAIN = path.resolve(import.meta.dirname, "../../../dist/src/composition/cli/main.js");

let folder: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "cli-test-"));
});

afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Starts the command in the test's folder, which is also where it puts temporary files, and the user's home. */
function start(...args: string[]) {
  return startIn({}, ...args);
}

function startIn(variables: Readonly<Record<string, string>>, ...args: string[]) {
  const { CLAUDE_CONFIG_DIR: _, ...inherited } = process.env;
  const XDG_CACHE_HOME = path.join(folder, ".cache");
  const env = { ...inherited, HOME: folder, XDG_CACHE_HOME, TMPDIR: folder, CI: "true", ...variables };
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, env });
  started.push(child);
  return child;
}

async function outcomeOf(child: ReturnType<typeof start>) {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { stdout, stderr, code: code as number | null };
}

/** The line with the address, and the address in it. */
async function addressOf(child: ReturnType<typeof start>) {
  const [chunk] = await once(child.stdout, "data");
  const line = String(chunk);
  return { line, address: /http:\S+/.exec(line)?.[0] ?? "" };
}

async function writeSession(dataDir: string) {
  const session = path.join(dataDir, "tenants/t1/sessions/s1");
  await mkdir(session, { recursive: true });
  await writeFile(path.join(session, "session.jsonl"), '{"type":"init","userId":"ada","createdAt":1}\n');
}

async function writeProject(projectsDir: string) {
  const project = path.join(projectsDir, "-work-shop");
  await mkdir(project, { recursive: true });
  const message = { role: "user", content: "Count the apples." };
  const prompt = { type: "user", uuid: "u1", sessionId: "s1", isSidechain: false, message };
  await writeFile(path.join(project, "s1.jsonl"), `${JSON.stringify(prompt)}\n`);
}

describe("agent-inspector", () => {
  it("serves the folder that it is given, and prints that in one line", async () => {
    await writeSession(path.join(folder, "histories"));
    const child = start("histories", "--port", "0");
    const { line, address } = await addressOf(child);
    expect(line).toBe(`Showing the data directory histories: ${address}\n`);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const answer = await fetch(`${address}__inspector/sessions`);
    expect(await answer.json()).toMatchObject({
      sessions: [{ tenantId: "t1", sessionId: "s1", userId: "ada" }],
    });
  });

  it("serves ./data where it is a data directory", async () => {
    await writeSession(path.join(folder, "data"));
    const { line } = await addressOf(start("--port", "0"));
    expect(line).toContain("the data directory ./data: http://");
  });

  it("recognises a projects directory of Claude Code", async () => {
    await writeProject(path.join(folder, "projects"));
    const { line, address } = await addressOf(start("projects", "--port", "0"));
    expect(line).toBe(`Showing the Claude Code projects directory projects: ${address}\n`);
    const answer = await fetch(`${address}__inspector/sessions`);
    expect(await answer.json()).toMatchObject({
      sessions: [{ tenantId: "-work-shop", sessionId: "s1", title: "Count the apples." }],
    });
  });

  it("serves all histories that it finds in one list, and prints where each lies", async () => {
    await writeSession(path.join(folder, "data"));
    await writeProject(path.join(folder, ".claude/projects"));
    const { line, address } = await addressOf(start("--port", "0"));
    expect(line).toBe(
      `Showing 2 sources: ${address}\n  Data directory  ./data\n  Claude Code     ~/.claude/projects\n`,
    );
    const answer = await fetch(`${address}__inspector/sessions?limit=10`);
    expect(await answer.json()).toMatchObject({
      sessions: [
        { tenantId: "claude-code:-work-shop", sessionId: "s1", source: "Claude Code" },
        { tenantId: "data:t1", sessionId: "s1", source: "Data directory" },
      ],
      total: 2,
    });
    const { line: one } = await addressOf(start("--source", "claude-code", "--port", "0"));
    expect(one).toContain("Showing the Claude Code projects directory ~/.claude/projects: ");
  });

  it("serves the folders that it is given, each once, told apart by their paths", async () => {
    await writeSession(path.join(folder, "a/data"));
    await writeSession(path.join(folder, "b/data"));
    const listed = async (...folders: string[]) => {
      const { line, address } = await addressOf(start(...folders, "--port", "0"));
      const { sessions } = (await (await fetch(`${address}__inspector/sessions`)).json()) as {
        sessions: { tenantId: string; source: string }[];
      };
      return { line, tenants: sessions.map(({ tenantId, source }) => `${source} ${tenantId}`).sort() };
    };
    const { line, tenants } = await listed("a/data", "b/data", "./a/../a/data");
    expect(line).toContain("\n  Data directory a/data  a/data\n  Data directory b/data  b/data\n");
    expect(tenants).toEqual([
      expect.stringMatching(/^Data directory a\/data data-\w{8}:t1$/),
      expect.stringMatching(/^Data directory b\/data data-\w{8}:t1$/),
    ]);
    expect((await listed("b/data", "a/data")).tenants).toEqual(tenants);
  });

  it("says what it takes where a name or a usual place is none", async () => {
    for (const [args, message] of [
      [
        ["--source", "codecs"],
        'There is no kind of source "codecs". Known are data, claude-code, codex, gemini-cli, otlp.',
      ],
      [
        ["--source", "claude-code"],
        "There is no Claude Code projects directory at ~/.claude/projects. Name it: agent-inspector PATH --source claude-code.",
      ],
      [
        ["a", "b", "--import", "--database-url", "postgres://x"],
        "Name one folder to import and where to: PATH --database-url URL --import.",
      ],
    ] as const) {
      const { code, stderr } = await outcomeOf(start(...args));
      expect([code, stderr]).toEqual([1, `error: ${message}\n`]);
    }
  });

  it("serves the user's own Claude Code histories where ./data is no data directory", async () => {
    await writeProject(path.join(folder, ".claude/projects"));
    const { line } = await addressOf(start("--port", "0"));
    expect(line).toContain("the Claude Code projects directory ~/.claude/projects: http://");
  });

  it("recognises a folder of Gemini CLI", async () => {
    const chats = path.join(folder, "gemini/tmp/shop/chats");
    await mkdir(chats, { recursive: true });
    const session = {
      sessionId: "s1",
      projectHash: "ab12",
      messages: [{ id: "u1", type: "user", content: "Hi." }],
    };
    await writeFile(path.join(chats, "session-a.json"), JSON.stringify(session));
    const { line, address } = await addressOf(start("gemini", "--port", "0"));
    expect(line).toBe(`Showing the Gemini CLI directory gemini: ${address}\n`);
    const answer = await fetch(`${address}__inspector/sessions`);
    expect(await answer.json()).toMatchObject({
      sessions: [{ tenantId: "shop", sessionId: "s1", title: "Hi." }],
    });
  });

  it("prints which folder to name instead of one project of Claude Code", async () => {
    await writeProject(path.join(folder, "projects"));
    const { code, stderr } = await outcomeOf(start("projects/-work-shop"));
    expect(code).toBe(1);
    expect(stderr).toBe(
      `error: "projects/-work-shop" is a part of the Claude Code projects directory ${folder}/projects. Name that instead.\n`,
    );
  });

  it("serves the demo where ./data is none, prints that, and leaves nothing behind", async () => {
    const child = start("--port", "0");
    const { line, address } = await addressOf(child);
    expect(line).toBe(
      `Showing the demo, because no histories were found: ${address}\nLooked for:\n` +
        "  a data directory                  ./data\n" +
        "  a Claude Code projects directory  ~/.claude/projects\n" +
        "  a Codex home directory            ~/.codex\n" +
        "  a Gemini CLI directory            ~/.gemini\n" +
        "  a folder of OpenTelemetry traces  ./otlp\n" +
        "Name a folder to show it: agent-inspector PATH. Where its kind cannot be told, add --source (data, claude-code, codex, gemini-cli, otlp).\n",
    );
    const answer = await fetch(`${address}__inspector/sessions?limit=1`);
    expect(await answer.json()).toMatchObject({ sessions: [{ tenantId: expect.any(String) }] });
    expect(await readdir(folder)).not.toEqual([]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await readdir(folder)).toEqual([]);
  });

  describe("for the next start", () => {
    const listOnce = async (...args: string[]) => {
      const child = start("projects", "--port", "0", ...args);
      const { address } = await addressOf(child);
      const answer = await fetch(`${address}__inspector/sessions`);
      expect(await answer.json()).toMatchObject({ sessions: [{ sessionId: "s1" }] });
      child.kill("SIGTERM");
      await once(child, "exit");
    };

    beforeEach(async () => {
      await writeProject(path.join(folder, "projects"));
      await settled(path.join(folder, "projects"));
    });

    it("keeps what it read in the user's cache folder, prints where, and removes it", async () => {
      await listOnce();
      const own = path.join(folder, ".cache/agent-inspector");
      expect(await readdir(own)).toHaveLength(2);
      await writeFile(path.join(own, "mine.txt"), "");
      const { stdout } = await outcomeOf(start("cache"));
      expect(stdout).toBe(`${own}: 2 files, 0.0 MB. "agent-inspector cache clear" removes it.\n`);
      expect((await outcomeOf(start("--help"))).stdout).toContain(own);
      const cleared = await outcomeOf(start("cache", "clear"));
      expect(cleared).toEqual({ stdout: `Removed 2 files, 0.0 MB from ${own}.\n`, stderr: "", code: 0 });
      expect(await readdir(own)).toEqual(["mine.txt"]);
    });

    it("keeps nothing with --no-cache", async () => {
      await listOnce("--no-cache");
      expect(await readdir(folder)).toEqual(["projects"]);
    });

    it("says in one line that it can keep nothing, and goes on", async () => {
      await writeFile(path.join(folder, ".cache"), "no folder");
      const child = start("projects", "--port", "0");
      const stderr = text(child.stderr);
      const { address } = await addressOf(child);
      expect((await fetch(`${address}__inspector/sessions`)).status).toBe(200);
      child.kill("SIGTERM");
      expect(await stderr).toMatch(
        /^Nothing is kept for the next start: .* cannot be written \(\w+\)\. .*\n$/,
      );
    });
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends cleanly on %s, also with a connection open",
    async (signal) => {
      const child = start("demo", "--port", "0");
      const { line, address } = await addressOf(child);
      expect(line).toBe(`Showing the demo: ${address}\n`);
      await (await fetch(`${address}__inspector/health`)).text();
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  );

  it("shows the page, which loads nothing from elsewhere and may not be framed", async () => {
    const { address } = await addressOf(start("demo", "--port", "0"));
    const page = await fetch(address);
    expect(await page.text()).toContain('<meta name="inspector-api" content="/__inspector" />');
    expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(page.headers.get("X-Frame-Options")).toBe("DENY");
  });

  it("shows the page on the API of an agent application that runs elsewhere", async () => {
    const agent = await addressOf(start("demo", "--port", "0"));
    const { line } = await addressOf(start("ui", "--agent-url", agent.address, "--port", "0"));
    const address = line.trimEnd().split(" ").at(-1)!;
    expect(line).toBe(`Showing the agent application at ${agent.address}: ${address}\n`);
    expect((await fetch(address)).headers.get("Content-Type")).toContain("text/html");
    const answer = await fetch(`${address}__inspector/sessions?limit=1`);
    expect(await answer.json()).toMatchObject({ sessions: [{ tenantId: expect.any(String) }] });
  });

  it("sends an agent application its credentials and headers, and shows none of them", async () => {
    const asked: IncomingMessage[] = [];
    const agent = createServer((request, response) => {
      asked.push(request);
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    }).listen(0, "127.0.0.1");
    await once(agent, "listening");
    const host = `127.0.0.1:${(agent.address() as AddressInfo).port}`;
    const url = `http://ada:hunter2@${host}`;
    const header = ["--header", "X-Team: a:b", "--header", "X-Key: hunter2"];
    const started = [
      start("ui", "--agent-url", url, ...header, "--port", "0"),
      startIn(
        { AGENT_INSPECTOR_HEADER: "Authorization: Bearer hunter2\nX-Team: c" },
        ...["ui", "--agent-url", url, "--port", "0"],
      ),
    ];
    for (const child of started) {
      const { line } = await addressOf(child);
      const address = line.trimEnd().split(" ").at(-1)!;
      expect(line).toBe(`Showing the agent application at http://${host}/: ${address}\n`);
      expect((await fetch(`${address}__inspector/health`)).status).toBe(200);
    }
    agent.close();
    const basic = `Basic ${Buffer.from("ada:hunter2").toString("base64")}`;
    expect(asked.map(({ headers }) => [headers.authorization, headers["x-team"], headers["x-key"]])).toEqual([
      [basic, "a:b", "hunter2"],
      ["Bearer hunter2", "c", undefined],
    ]);
  });

  it.each([
    ["--header", "hunter2"],
    ["--header", "Authorization:"],
    ["--header", "Host: hunter2"],
    ["--header", "Authorization: “hunter2”"],
    ["--haeder=Authorization: hunter2"],
    ["--agent-url", "http://ada:hunter2"],
    ["--agent-url", "http://ada:1/hunter2@host"],
  ])("refuses %s %s in one line that does not repeat it", async (...args) => {
    const { code, stdout, stderr } = await outcomeOf(
      start("ui", "--agent-url", "http://127.0.0.1:9", ...args),
    );
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).not.toMatch(/hunter2/);
  });

  it("reports that the address of an agent application is none", async () => {
    const { code, stderr } = await outcomeOf(start("ui", "--agent-url", "localhost:3000"));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: "localhost:3000" is no http or https URL.*\n$/);
  });

  it("warns who can read the histories when it is bound to every address", async () => {
    const child = start("demo", "--port", "0", "--host", "0.0.0.0");
    const [{ address }, [warning]] = await Promise.all([addressOf(child), once(child.stderr, "data")]);
    expect(String(warning)).toMatch(/^Bound to 0\.0\.0\.0: everyone .* can now read every history.*\n/);
    expect((await fetch(`${address}__inspector/health`)).status).toBe(200);
  });

  it("refuses a page of another origin", async () => {
    const { address } = await addressOf(start("demo", "--port", "0"));
    const answer = await fetch(`${address}__inspector/sessions`, {
      headers: { Origin: "https://evil.example" },
    });
    expect(answer.status).toBe(403);
  });

  it("reports that a port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr, stdout } = await outcomeOf(start("demo", "--port", String(port)));
    other.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `error: Port ${port} is taken on 127.0.0.1. Name another with --port, or let --port 0 pick a free one.\n`,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it("reports that a host is not this machine's", async () => {
    const { code, stderr } = await outcomeOf(start("demo", "--port", "0", "--host", "192.0.2.1"));
    expect(code).toBe(1);
    expect(stderr).toBe('error: "192.0.2.1" is no address of this machine. Name one with --host.\n');
  });

  it("reports that a folder is missing", async () => {
    const { code, stderr } = await outcomeOf(start("nowhere"));
    expect(code).toBe(1);
    expect(stderr).toBe('error: There is no folder "nowhere".\n');
  });

  it("reports what is missing in a folder that is no data directory", async () => {
    const { code, stderr } = await outcomeOf(start("."));
    expect(code).toBe(1);
    expect(stderr).toBe(
      'error: "." is no data directory: there is no folder "tenants" in it,\n  ' +
        "no Claude Code projects directory: there is no folder in it that holds .jsonl files of Claude Code's records,\n  " +
        "no Codex home directory: there is no folder in it that holds Codex's rollout-*.jsonl files,\n  " +
        "no Gemini CLI directory: there is no session of Gemini CLI in it,\n  " +
        "no folder of OpenTelemetry traces: there is no file in it of OTLP JSON or JSON Lines (.json, .jsonl).\n" +
        "Where it is one of them nevertheless, say which with --source (data, claude-code, codex, gemini-cli, otlp).\n",
    );
  });

  it.each(["-1", "65536", "http", "80.5"])("refuses %s as a port in one line", async (port) => {
    const { code, stderr } = await outcomeOf(start(`--port=${port}`));
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining("from 0 to 65535")]);
  });

  it("prints its version", async () => {
    const { code, stdout } = await outcomeOf(start("--version"));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("helps, with examples, for the demo too", async () => {
    const [help, demoHelp, uiHelp] = await Promise.all([
      outcomeOf(start("--help")),
      outcomeOf(start("demo", "--help")),
      outcomeOf(start("ui", "--help")),
    ]);
    expect(help.code).toBe(0);
    expect(uiHelp.stdout).toContain("AGENT_INSPECTOR_HEADER");
    for (const word of ["[path...]", "--source", "demo", "--port", "--host", "--no-open", "Examples:"]) {
      expect(help.stdout).toContain(word);
    }
    expect(demoHelp.stdout).toContain("--port");
  });
});
