import { once } from "node:events";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { settled } from "../../../test/support/cached-lists.js";
import { homeFolder, run, start, startWith } from "../../../test/support/command-line.js";
import { writeSessions } from "../../../test/support/data-directory.js";
import { COMMAND_LINE_PARTS, supportedSources } from "../../composition/command-line-parts.js";
import { formatCount } from "../../domain/text/figures.js";
import { withArticle } from "./opening/place-sources.js";

const NAMES = supportedSources()
  .map(({ name }) => name)
  .join(", ");
/** Those that are looked for. */
const FOLDERS = supportedSources().filter(({ place }) => place !== undefined);
const WIDEST = Math.max(...FOLDERS.map(({ kind }) => withArticle(kind).length));

let folder: string;

beforeEach(async () => {
  folder = await homeFolder();
});

/** Serves on a free port: what is printed, where, and what the API answers. */
async function show(...args: readonly string[]) {
  const command = start(...args, "--port", "0");
  const [address = ""] = await command.addresses();
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${address}__inspector/${path}`, { headers });
  const sessions = async () => (await get("sessions?limit=10")).json();
  return { ...command, printed: command.stdout.text, address, get, sessions };
}

function writeSession(dataDir: string): Promise<void> {
  return writeSessions(dataDir, [{ tenantId: "t1", sessionId: "s1", userId: "ada", createdAt: 1 }]);
}

async function writeProject(projectsDir: string): Promise<void> {
  await mkdir(`${projectsDir}/-work-shop`, { recursive: true });
  const message = { role: "user", content: "Count the apples." };
  const prompt = { type: "user", uuid: "u1", sessionId: "s1", isSidechain: false, message };
  await writeFile(`${projectsDir}/-work-shop/s1.jsonl`, `${JSON.stringify(prompt)}\n`);
}

describe("agent-inspector with folders", () => {
  it("serves the folder that it is given, and prints that in one line", async () => {
    await writeSession("histories");
    const { printed, address, sessions, stop, ended } = await show("histories");
    expect(printed).toBe(`Showing the data directory histories: ${address}\n`);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await sessions()).toMatchObject({
      sessions: [{ tenantId: "t1", sessionId: "s1", userId: "ada" }],
    });
    stop();
    expect(await ended).toBe(0);
  });

  it("prints its address before it makes what answers there, and lets requests wait for that", async () => {
    await writeSession("histories");
    let make: () => void = () => undefined;
    const requested = new Promise<void>((resolve) => {
      make = resolve;
    });
    const inspectorApp: typeof COMMAND_LINE_PARTS.inspectorApp = async (...args) => {
      await requested;
      return COMMAND_LINE_PARTS.inspectorApp(...args);
    };
    const [address] = await startWith({ inspectorApp }, "histories", "--port", "0").addresses();
    const answer = fetch(`${address}__inspector/sessions`);
    make();
    expect(await (await answer).json()).toMatchObject({ sessions: [{ sessionId: "s1" }] });
  });

  it("ends with what went wrong where nothing can be made to answer", async () => {
    await writeSession("histories");
    const inspectorApp = async () => {
      throw new Error("no memory");
    };
    const { ended } = startWith({ inspectorApp }, "histories", "--port", "0");
    await expect(ended).rejects.toThrow("no memory");
  });

  it.each<[name: string, write: (place: string) => Promise<void>, place: string, printed: string]>([
    ["./data", writeSession, "data", "the data directory ./data"],
    [
      "the user's own Claude Code histories",
      writeProject,
      ".claude/projects",
      "the Claude Code projects directory ~/.claude/projects",
    ],
  ])("serves %s where they are there", async (_, write, place, printed) => {
    await write(place);
    expect((await show()).printed).toContain(`${printed}: http://`);
  });

  it("recognises a projects directory of Claude Code", async () => {
    await writeProject("projects");
    const { printed, address, sessions } = await show("projects");
    expect(printed).toBe(`Showing the Claude Code projects directory projects: ${address}\n`);
    expect(await sessions()).toMatchObject({
      sessions: [{ tenantId: "-work-shop", sessionId: "s1", title: "Count the apples." }],
    });
  });

  it("recognises a folder of Gemini CLI", async () => {
    await mkdir("gemini/tmp/shop/chats", { recursive: true });
    const messages = [{ id: "u1", type: "user", content: "Hi." }];
    const session = { sessionId: "s1", projectHash: "ab12", messages };
    await writeFile("gemini/tmp/shop/chats/session-a.json", JSON.stringify(session));
    const { printed, address, sessions } = await show("gemini");
    expect(printed).toBe(`Showing the Gemini CLI directory gemini: ${address}\n`);
    expect(await sessions()).toMatchObject({
      sessions: [{ tenantId: "shop", sessionId: "s1", title: "Hi." }],
    });
  });

  it("serves all histories that it finds in one list, and prints where each lies", async () => {
    await writeSession("data");
    await writeProject(".claude/projects");
    const { printed, address, sessions } = await show();
    expect(printed).toBe(
      `Showing 2 sources: ${address}\n  Data directory  ./data\n  Claude Code     ~/.claude/projects\n`,
    );
    expect(await sessions()).toMatchObject({
      sessions: [
        { tenantId: "claude-code:-work-shop", sessionId: "s1", source: "Claude Code" },
        { tenantId: "data:t1", sessionId: "s1", source: "Data directory" },
      ],
      total: 2,
    });
    const { printed: one } = await show("--source", "claude-code");
    expect(one).toContain("Showing the Claude Code projects directory ~/.claude/projects: ");
  });

  it("serves the folders that it is given, each once, told apart by their paths", async () => {
    await writeSession("a/data");
    await writeSession("b/data");
    const listed = async (...folders: string[]) => {
      const { printed, sessions } = await show(...folders);
      const list = (await sessions()) as { sessions: { tenantId: string; source: string }[] };
      const tenants = list.sessions.map(({ tenantId, source }) => `${source} ${tenantId}`).sort();
      return { printed, tenants };
    };
    const { printed, tenants } = await listed("a/data", "b/data", "./a/../a/data");
    expect(printed).toContain("\n  Data directory a/data  a/data\n  Data directory b/data  b/data\n");
    expect(tenants).toEqual([
      expect.stringMatching(/^Data directory a\/data data-\w{8}:t1$/),
      expect.stringMatching(/^Data directory b\/data data-\w{8}:t1$/),
    ]);
    expect((await listed("b/data", "a/data")).tenants).toEqual(tenants);
  });

  it("serves the demo where there are none, prints that, and leaves nothing behind", async () => {
    const { printed, address, sessions, stop, ended } = await show();
    expect(printed).toBe(
      `Showing the demo, because no histories exist at the usual paths: ${address}\nLooked for:\n` +
        supportedSources(process.env, folder)
          .filter(({ place }) => place !== undefined)
          .map(({ kind, place }) => `  ${withArticle(kind).padEnd(WIDEST)}  ${place!.replace(folder, "~")}\n`)
          .join("") +
        `To open another folder: agent-inspector PATH. If its kind is not detected, add --source (${NAMES}).\n`,
    );
    expect(printed).toContain("  ~/.claude/projects\n");
    expect(await sessions()).toMatchObject({ total: expect.any(Number) });
    expect(await readdir(folder)).not.toEqual([]);
    stop();
    expect(await ended).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each<[args: readonly string[], message: string]>([
    [["--source", "codecs"], `There is no kind of source "codecs". Supported kinds: ${NAMES}.`],
    [
      ["--source", "claude-code"],
      "There is no Claude Code projects directory at ~/.claude/projects. Name it: agent-inspector PATH --source claude-code.",
    ],
    [
      ["a", "b", "--import", "--database-url", "postgres://x"],
      "Name one folder to import and where to: PATH --database-url URL --import.",
    ],
    [["nowhere"], 'There is no file or folder "nowhere".'],
    [
      ["."],
      `"." is ${FOLDERS.map(({ kind, required }) => `no ${kind}: there is no ${required}`).join(",\n  ")}.\n` +
        `Where it is one of them nevertheless, say which with --source (${FOLDERS.map(({ name }) => name).join(", ")}).`,
    ],
    [
      ["--port", "0", "--host", "192.0.2.1"],
      '"192.0.2.1" is no address of this machine. Name one with --host.',
    ],
  ])("refuses %j, and says what it takes", async (args, message) => {
    expect(await run(...args)).toEqual({ stdout: "", stderr: `error: ${message}\n`, code: 2 });
  });

  it("serves one project of Claude Code, and prints what it is a part of", async () => {
    await writeProject("projects");
    await mkdir("projects/-work-cart");
    await copyFile("projects/-work-shop/s1.jsonl", "projects/-work-cart/s2.jsonl");
    const { printed, sessions } = await show("projects/-work-shop");
    expect(printed).toContain(
      `Showing projects/-work-shop of the Claude Code projects directory ~/projects: `,
    );
    expect(await sessions()).toMatchObject({ sessions: [{ sessionId: "s1" }] });
    const both = await show("projects/-work-shop", "projects/-work-cart");
    expect(both.printed).toContain("Showing 2 parts of the Claude Code projects directory ");
    expect(await both.sessions()).toMatchObject({ sessions: [{}, {}] });
    const all = await show("projects/-work-shop", "projects");
    expect(all.printed).toContain("Showing the Claude Code projects directory ");
  });

  it("lists in the help of sources the kinds of histories, their folders and versions", async () => {
    const { stdout } = await run("sources", "--help");
    const lines = stdout.split("\n");
    for (const { name, title, placeText, versions = "" } of supportedSources()) {
      const first = lines.findIndex((one) => one.startsWith(`  ${name} `));
      const entry = lines.slice(first, first + 2).join("\n");
      for (const part of [title, placeText, versions]) expect(entry).toContain(part);
    }
    expect(stdout).toContain("experimental");
  });

  it("serves what lies in a folder, and one file", async () => {
    await writeSession("all/data");
    await writeProject("all/.claude/projects");
    const { printed } = await show("all");
    expect(printed).toMatch(/^Showing 2 sources: .*\n {2}Data directory {2}all\/data\n {2}Claude Code /);
    const file = "all/.claude/projects/-work-shop/s1.jsonl";
    expect((await show(file)).printed).toContain(`Showing a file of Claude Code: ${file}: `);
  });
});

describe("agent-inspector, for the next start,", () => {
  const listOnce = async (...args: string[]) => {
    const { sessions, stop, ended, stderr } = await show("projects", ...args);
    expect(await sessions()).toMatchObject({ sessions: [{ sessionId: "s1" }] });
    stop();
    await ended;
    return stderr.text;
  };

  beforeEach(async () => {
    await writeProject("projects");
    await settled("projects");
  });

  it("keeps what it read in the user's cache folder, prints where, and removes it", async () => {
    await listOnce();
    const own = path.join(folder, ".cache/agent-inspector");
    const files = (await readdir(own)).length;
    expect(files).toBeGreaterThan(0);
    await writeFile(path.join(own, "mine.txt"), "");
    const { stdout } = await run("cache");
    expect(stdout).toMatch(/: \d+ files?, [\d.]+ k?B\. "agent-inspector cache clear" removes it\.\n$/);
    expect(stdout.startsWith(`${own}: ${formatCount(files, "file")}, `)).toBe(true);
    expect((await run("--help")).stdout).toContain(own);
    const cleared = await run("cache", "clear");
    expect(cleared.stdout).toBe(stdout.replace(/^.*?: (.*)\. .*\n$/, `Removed $1 from ${own}.\n`));
    expect(await readdir(own)).toEqual(["mine.txt"]);
  });

  it("keeps nothing with --no-cache", async () => {
    await listOnce("--no-cache");
    expect(await readdir(folder)).toEqual(["projects"]);
  });

  it("says in one line that it can keep nothing, and goes on", async () => {
    await writeFile(".cache", "no folder");
    expect(await listOnce()).toMatch(/^The cache is not used: .* cannot be written \(\w+\)\. .*\n$/);
  });
});

describe("agent-inspector ui", () => {
  it("shows the API of an agent application that runs elsewhere", async () => {
    await writeSession("data");
    const agent = await show("data");
    const { printed, address, sessions } = await show("ui", "--agent-url", agent.address);
    expect(printed).toBe(`Showing the agent application at ${agent.address}: ${address}\n`);
    expect(await sessions()).toMatchObject({ sessions: [{ tenantId: "t1" }] });
  });

  it("sends an agent application its credentials and headers, and shows none of them", async () => {
    const requested: IncomingMessage[] = [];
    const agent = createServer((request, response) => {
      requested.push(request);
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    }).listen(0, "127.0.0.1");
    await once(agent, "listening");
    const host = `127.0.0.1:${(agent.address() as AddressInfo).port}`;
    const ask = async (...header: string[]) => {
      const { printed, address, get } = await show(
        "ui",
        "--agent-url",
        `http://ada:hunter2@${host}`,
        ...header,
      );
      expect(printed).toBe(`Showing the agent application at http://${host}/: ${address}\n`);
      expect((await get("health")).status).toBe(200);
    };
    await ask("--header", "X-Team: a:b", "--header", "X-Key: hunter2");
    vi.stubEnv("AGENT_INSPECTOR_HEADER", "Authorization: Bearer hunter2\nX-Team: c");
    await ask();
    agent.close();
    const basic = `Basic ${Buffer.from("ada:hunter2").toString("base64")}`;
    expect(
      requested.map(({ headers }) => [headers.authorization, headers["x-team"], headers["x-key"]]),
    ).toEqual([
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
    ["--agent-url", "localhost:3000"],
  ])("refuses %s %s in one line that shows no secret", async (...args) => {
    const { code, stdout, stderr } = await run("ui", "--agent-url", "http://127.0.0.1:9", ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).not.toMatch(/hunter2/);
  });
});

describe("agent-inspector demo", () => {
  it("warns who can read the histories when it is bound to every address", async () => {
    const { stderr, get } = await show("demo", "--host", "0.0.0.0");
    expect(stderr.text).toMatch(/^Bound to 0\.0\.0\.0: everyone .* can now read every history.*\n/);
    expect((await get("health")).status).toBe(200);
  });

  it("refuses a page of another origin, and may not be framed", async () => {
    const { get } = await show("demo");
    const answer = await get("sessions", { Origin: "https://evil.example" });
    expect([answer.status, answer.headers.get("X-Frame-Options")]).toEqual([403, "DENY"]);
  });
});

describe("agent-inspector", () => {
  it.each(["-1", "65536", "http", "80.5"])("refuses %s as a port in one line", async (port) => {
    const { code, stderr } = await run(`--port=${port}`);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining("from 0 to 65535")]);
  });

  it("prints its version", async () => {
    expect(await run("--version")).toMatchObject({
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      code: 0,
    });
  });

  it("helps, with examples, for each command", async () => {
    const { stdout, code } = await run("--help");
    expect(code).toBe(0);
    for (const word of ["[path...]", "--source", "demo", "--port", "--host", "--no-open", "Examples:"]) {
      expect(stdout).toContain(word);
    }
    expect((await run("ui", "--help")).stdout).toContain("AGENT_INSPECTOR_HEADER");
    expect((await run("demo", "--help")).stdout).toContain("--port");
  });

  it("throws what nobody expected", async () => {
    vi.stubEnv("TMPDIR", path.join(folder, "gone"));
    await expect(run("demo")).rejects.toThrow("ENOENT");
  });
});
