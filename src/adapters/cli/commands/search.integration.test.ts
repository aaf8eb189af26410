import { cp } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { homeFolder, run } from "../../../../test/support/command-line.js";
import { writeSessions } from "../../../../test/support/data-directory.js";
import type { SessionWithHits } from "../../../application/search/session-search-answer.js";
import type { SearchHit } from "../../../domain/search/search-hit.js";
import { hitJson, hitLine, PLAIN } from "../text/search-lines.js";
import { sessionLines } from "./search-sessions.js";

const HIT: SearchHit = {
  tenantId: "acme",
  sessionId: "s1",
  in: "output",
  sequence: 3,
  timestamp: "2026-01-15T12:00:00.000Z",
  type: "tool.end",
  toolName: "Read",
  matches: 1,
  snippet: { text: "a needle here", start: 2, end: 8 },
};

/** Clears the screen, in the two ways to write that; sets the title; turns the direction of text; ends the line. */
const EVIL = "\u001b[2J\u009b2J\u001b]0;title\u0007\u202e\r\n\u2028\u007f";

// biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is tested
const COMMANDS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/;

describe("a hit as a line", () => {
  it("names session, instant, kind and tool, and marks the match", () => {
    expect(hitLine(HIT, PLAIN)).toBe("acme/s1  2026-01-15T12:00:00.000Z  output Read  a »needle« here\n");
    const epoch = { ...HIT, timestamp: "1970-01-01T00:00:00.000Z" };
    expect(hitLine(epoch, PLAIN)).toBe("acme/s1  -  output Read  a »needle« here\n");
  });

  it("says of a message what there is to say", () => {
    const { tenantId, sessionId, matches, snippet } = HIT;
    const line = hitLine({ tenantId, sessionId, matches, snippet, in: "text", messageIndex: 0 }, PLAIN);
    expect(line).toBe("acme/s1  -  text  a »needle« here\n");
  });

  it("lets no command reach a terminal, and keeps the place of the match", () => {
    const snippet = { text: `${EVIL}needle${EVIL}`, start: EVIL.length, end: EVIL.length + 6 };
    const hit = { ...HIT, sessionId: EVIL, toolName: EVIL, timestamp: EVIL, snippet };
    for (const line of [hitLine(hit, PLAIN), hitJson(hit)]) {
      expect(line.trimEnd()).not.toMatch(COMMANDS);
      expect(line.split("\n")).toHaveLength(2);
    }
    expect(hitLine(hit, PLAIN)).toContain("»needle«");
    expect(JSON.parse(hitJson(hit))).toEqual(hit);
  });
});

describe("a session as lines", () => {
  const session = {
    ...{ tenantId: "acme", sessionId: "s1" },
    lastActive: "2026-01-15T12:00:00.000Z",
    title: "T",
  };

  it("says how much it holds, and shows its hits below", () => {
    expect(sessionLines({ ...session, count: 1, countIs: "exact", hits: [HIT] }, PLAIN)).toBe(
      "acme/s1  1 record  2026-01-15T12:00:00.000Z  T\n  2026-01-15T12:00:00.000Z  output Read  a »needle« here\n",
    );
    const line = (countIs: SessionWithHits["countIs"]) =>
      sessionLines({ tenantId: "acme", sessionId: "s1", count: 4_200, countIs, hits: [] }, PLAIN);
    expect(line("about")).toBe("acme/s1  about 4,200 lines\n");
    expect(line("least")).toBe("acme/s1  at least 4,200 records\n");
  });

  it("lets no command reach a terminal", () => {
    const evil = { ...session, sessionId: EVIL, title: EVIL, lastActive: EVIL };
    const lines = sessionLines({ ...evil, count: 1, countIs: "exact", hits: [] }, PLAIN);
    expect(lines.trimEnd()).not.toMatch(COMMANDS);
    expect(lines.split("\n")).toHaveLength(2);
  });
});

async function writeSession(sessionId: string, contents: readonly string[]): Promise<void> {
  const messages = contents.map((content) => JSON.stringify({ role: "user", content }));
  const createdAt = Date.parse("2026-01-15T12:00:00.000Z");
  await writeSessions("data", [{ tenantId: "t1", sessionId, userId: "ada", createdAt, messages }]);
}

describe("agent-inspector search", () => {
  beforeEach(() => homeFolder());

  it("prints each session with its first hits, and exits with 0", async () => {
    await writeSession("s1", [
      "the shadow branch",
      "nothing",
      "Shadow Branch again",
      "shadow branch",
      "shadow branch",
    ]);
    const { stdout, code } = await run("search", "shadow branch");
    expect(stdout).toMatch(
      /^t1\/s1 {2}about 4 lines {2}\S+\n {2}- {2}text {2}the »shadow branch«\n( {2}- {2}text {2}.*\n){2}$/,
    );
    expect(code).toBe(0);
  });

  it("prints a line for each hit of a session that is named", async () => {
    await writeSession("s1", ["the shadow branch", "nothing", "Shadow Branch again"]);
    expect(await run("search", "shadow branch", "--tenant", "t1", "--session", "s1")).toEqual({
      stdout: "t1/s1  -  text  the »shadow branch«\nt1/s1  -  text  »Shadow Branch« again\n",
      stderr: "",
      code: 0,
    });
  });

  it("searches several folders", async () => {
    await writeSession("s1", ["the needle"]);
    await cp("data", "other", { recursive: true });
    const { stdout, code } = await run("search", "needle", "data", "other");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^(data-\w{8}:t1\/s1 {2}1 record {2}\S+\n {2}- {2}text {2}the »needle«\n){2}$/);
  });

  it("prints lines of JSON, and as many as are asked for", async () => {
    await writeSession(
      "s1",
      Array.from({ length: 250 }, (_, i) => `needle ${i}`),
    );
    const one = ["--tenant", "t1", "--session", "s1"];
    const { stdout, code } = await run("search", "needle", "data", ...one, "--json", "--limit", "120");
    const hits = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as SearchHit);
    expect(hits.map(({ messageIndex }) => messageIndex)).toEqual(Array.from({ length: 120 }, (_, i) => i));
    expect(code).toBe(0);
    expect((await run("search", "needle", "data", ...one)).stdout.split("\n")).toHaveLength(251);
    const { stdout: sessions } = await run("search", "needle", "data", "--json");
    expect(JSON.parse(sessions)).toMatchObject({
      sessionId: "s1",
      count: 250,
      countIs: "about",
      hits: [{}, {}, {}],
    });
  });

  it("exits with 1 where nothing is found, and narrows the search", async () => {
    await writeSession("s1", ["needle"]);
    const nothing = { stdout: "", stderr: "", code: 1 };
    expect(await run("search", "nowhere-at-all", "data")).toEqual(nothing);
    expect(await run("search", "needle", "data", "--in", "input,output")).toEqual(nothing);
    expect(await run("search", "needle", "data", "--tenant", "t2")).toEqual(nothing);
    const narrowed = ["--tenant", "t1", "--session", "s1", "--in", "text"];
    expect((await run("search", "needle", "data", ...narrowed)).code).toBe(0);
  });

  it.each<[string, string[], string]>([
    ["no folder", ["needle", "nowhere"], 'There is no file or folder "nowhere".'],
    ["no query", [], "missing required argument 'query'"],
    ["an empty query", ["", "data"], "Name a text to find: it is empty."],
    ["a pattern that is none", ["re:(", "data"], "The query is no regular expression of RE2's syntax"],
    [
      "an unknown kind",
      ["needle", "data", "--in", "tools"],
      "Kinds are text, thinking, input, output, error, other.",
    ],
    ["a limit that is none", ["needle", "data", "--limit", "0"], "A limit is a number from 1 up, or all."],
    ["an unknown option", ["needle", "data", "--colour"], "unknown option"],
  ])("exits with 2 and a line for %s", async (_, args, message) => {
    await writeSession("s1", ["needle"]);
    const { stdout, stderr, code } = await run("search", ...args);
    expect([stdout, code]).toEqual(["", 2]);
    expect(stderr).toContain(`error: `);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });

  it("searches no demo where there are no histories", async () => {
    const { stdout, stderr, code } = await run("search", "apples");
    expect([stdout, code]).toEqual(["", 1]);
    expect(stderr).toMatch(/^error: No histories exist at the usual paths\.\n/);
  });

  it("shows examples in its help", async () => {
    const { stdout, code } = await run("search", "--help");
    expect(stdout).toContain("agent-inspector search ECONNREFUSED ./data --in error,output");
    expect(code).toBe(0);
  });
});
