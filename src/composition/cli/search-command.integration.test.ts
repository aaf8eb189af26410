import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** The command as it is installed: built before all tests. */
const MAIN = path.resolve(import.meta.dirname, "../../../dist/src/composition/cli/main.js");

let folder: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "search-test-"));
});

afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Starts a search in the test's folder, which is also where it puts temporary files, and the user's home. */
function search(...args: string[]) {
  const { CLAUDE_CONFIG_DIR: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: folder, TMPDIR: folder };
  const child = spawn(process.execPath, [MAIN, "search", ...args], { cwd: folder, env });
  started.push(child);
  return child;
}

async function outcomeOf(child: ReturnType<typeof search>) {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { stdout, stderr, code, signal };
}

async function writeSession(sessionId: string, contents: readonly string[]) {
  const session = path.join(folder, "data/tenants/t1/sessions", sessionId);
  await mkdir(session, { recursive: true });
  await writeFile(path.join(session, "session.jsonl"), '{"type":"init","createdAt":1}\n');
  const lines = contents.map((content) => `${JSON.stringify({ role: "user", content })}\n`);
  await writeFile(path.join(session, "messages.jsonl"), lines.join(""));
}

describe("agent-inspector search", () => {
  it("prints a line for each hit, and exits with 0", async () => {
    await writeSession("s1", ["the shadow branch", "nothing", "Shadow Branch again"]);
    expect(await outcomeOf(search("shadow branch"))).toEqual({
      stdout: "t1/s1  -  text  the »shadow branch«\nt1/s1  -  text  »Shadow Branch« again\n",
      stderr: "",
      code: 0,
      signal: null,
    });
  });

  it("searches several folders", async () => {
    await writeSession("s1", ["the needle"]);
    await cp(path.join(folder, "data"), path.join(folder, "other"), { recursive: true });
    const { stdout, code } = await outcomeOf(search("needle", "data", "other"));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^(data-\w{8}:t1\/s1 {2}- {2}text {2}the »needle«\n){2}$/);
  });

  it("prints lines of JSON, and as many as are asked for", async () => {
    await writeSession(
      "s1",
      Array.from({ length: 250 }, (_, i) => `needle ${i}`),
    );
    const { stdout, code } = await outcomeOf(search("needle", "data", "--json", "--limit", "120"));
    const hits = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { messageIndex: number });
    expect(hits.map(({ messageIndex }) => messageIndex)).toEqual(Array.from({ length: 120 }, (_, i) => i));
    expect(code).toBe(0);
    expect((await outcomeOf(search("needle", "data"))).stdout.split("\n")).toHaveLength(251);
  });

  it("exits with 1 where nothing is found, and narrows the search", async () => {
    await writeSession("s1", ["needle"]);
    const nothing = { stdout: "", stderr: "", code: 1, signal: null };
    expect(await outcomeOf(search("nowhere-at-all", "data"))).toEqual(nothing);
    expect(await outcomeOf(search("needle", "data", "--in", "input,output"))).toEqual(nothing);
    expect(await outcomeOf(search("needle", "data", "--tenant", "t2"))).toEqual(nothing);
    const { code } = await outcomeOf(
      search("needle", "data", "--tenant", "t1", "--session", "s1", "--in", "text"),
    );
    expect(code).toBe(0);
  });

  it.each<[string, string[], string]>([
    ["no folder", ["needle", "nowhere"], 'There is no folder "nowhere".'],
    ["no query", [], "missing required argument 'query'"],
    ["an empty query", ["", "data"], "Name what to look for."],
    ["a pattern that is none", ["re:(", "data"], "The query is no regular expression of RE2's syntax"],
    [
      "an unknown kind",
      ["needle", "data", "--in", "tools"],
      "Kinds are text, thinking, input, output, error, other.",
    ],
    ["a limit that is none", ["needle", "data", "--limit", "0"], "A limit is a number from 1 up."],
    ["an unknown option", ["needle", "data", "--colour"], "unknown option"],
    [
      "an unknown session",
      ["needle", "data", "--session", "s9"],
      'There is no session "s9" in tenant "default".',
    ],
  ])("exits with 2 and a line for %s", async (_, args, message) => {
    await writeSession("s1", ["needle"]);
    const { stdout, stderr, code } = await outcomeOf(search(...args));
    expect([stdout, code]).toEqual(["", 2]);
    expect(stderr).toContain(`error: `);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });

  it("ends when nobody reads what it prints any more, as if it had come to the end", async () => {
    await writeSession(
      "s1",
      Array.from({ length: 20_000 }, (_, i) => `needle ${i}`),
    );
    const child = search("needle", "data");
    const exit = once(child, "exit");
    const errors = text(child.stderr);
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect(await exit).toEqual([0, null]);
    expect(await errors).toBe("");
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends at once on %s, and leaves nothing behind", async (signal) => {
    const child = search("e"); // without a folder it writes the demo, and there is much to print
    await once(child.stdout, "data");
    const exit = once(child, "exit"); // what is printed is not read any more: it waits
    child.stdout.pause();
    child.kill(signal);
    expect(await exit).toEqual([null, signal]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("shows examples in its help", async () => {
    const { stdout, code } = await outcomeOf(search("--help"));
    expect([stdout.includes("agent-inspector search ECONNREFUSED ./data --in error,output"), code]).toEqual([
      true,
      0,
    ]);
  });
});
