import { writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  FREE_BYTES,
  LONGEST_HEAD,
  LONGEST_LINE,
  LONGEST_MEMBERS,
  MOST_BLOCKS,
  MOST_CONVERSATIONS,
  MOST_ITEM_VALUES,
  MOST_LINES,
  MOST_OUTLINE_WORK,
  MOST_ROWS,
  MOST_ROWS_OF_ALL,
  MOST_SESSIONS,
  MOST_VALUES,
  MOST_WARNINGS,
} from "../../src/adapters/archive/archive-bounds.js";
import { openArchive } from "../../src/adapters/archive/archive-source.js";
import { PACKED_BEGIN, PACKED_END, PACKED_MARK } from "../../src/adapters/archive/packed-text.js";
import { unpackArchive } from "../../src/adapters/archive/unpack-archive.js";
import { ArchiveError } from "../../src/application/errors.js";
import { FACTS_TABLES } from "../../src/domain/facts/session-facts.js";
import { createInspectorRoute } from "../../src/edge.js";
import { homeFolder, run } from "../support/command-line.js";
import { packedLines, pageWith } from "../support/packed-lines.js";
import { sized } from "../support/soak.js";

const HEAD = {
  archive: { format: "agent-inspector", version: 1, exportedAt: "2026-11-01T00:00:00.000Z", writer: "1.0.0" },
};
const LAST_ACTIVE = "2026-11-01T00:00:00.000Z";
const session = (sessionId: string, more: object = {}) => ({
  session: { tenantId: "t", sessionId, lastActive: LAST_ACTIVE, ...more },
  revision: "r",
});
const message = (content: string, more: object = {}) => ({ message: { role: "user", content }, ...more });
const GOOD = [session("good"), message("hello")];

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const textOf = (line: unknown) => (typeof line === "string" ? line : JSON.stringify(line));

function archiveOf(hostile: readonly unknown[], head: unknown = HEAD): string[] {
  const lines = [...hostile, ...GOOD].map(textOf);
  const sessions = lines.filter((line) => line.startsWith('{"session"')).length;
  return [textOf(head), ...lines, textOf({ end: { sessions, records: lines.length } })];
}

async function* inBatches(lines: Iterable<string>) {
  let batch: string[] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < 10_000) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function answersOf(lines: readonly string[]) {
  const { source } = await openArchive(inBatches(lines));
  const { warnings } = await source.findSessions!({});
  const app = createInspectorRoute(source);
  const ask = async (question: string) => {
    const response = await app.request(`http://localhost${question}`);
    return { status: response.status, text: await response.text() };
  };
  const parts = ["trace", "messages", "orchestration", "summary"];
  const questions = ["s", "good"].flatMap((id) => parts.map((part) => `/sessions/${id}/${part}?tenantId=t`));
  questions.push("/sessions", "/overview", "/search?q=hello", "/sources", "/sessions?filter=tool:x");
  questions.push(
    "/search/sessions?q=hello",
    "/why?file=a.ts&text=x",
    "/compare?sessionId=s&otherSessionId=good&tenantId=t&otherTenantId=t",
  );
  const statuses: number[] = [];
  for (const question of questions) statuses.push((await ask(question)).status);
  const messages = await ask("/sessions/s/messages?tenantId=t");
  const orchestration = await ask("/sessions/s/orchestration?tenantId=t");
  return {
    ask,
    good: (await ask("/sessions/good/messages?tenantId=t")).text,
    statuses: [...new Set(statuses)],
    reasons: warnings!.map(({ reason }) => reason),
    messages: messages.text,
    orchestration: orchestration.text,
  };
}

const table = (columns: readonly string[], rows: number) =>
  Object.fromEntries(columns.map((name) => [name, times(rows, (i) => (name === "quarter" ? i : 0))]));

function factsOf(rows: number) {
  const tables = Object.entries(FACTS_TABLES).map(([name, columns]) => [name, table(columns, rows)]);
  return {
    ...{ models: [{ model: "m" }], roles: [""], tools: ["t"], causes: ["c"], edited: [], read: [] },
    ...{ agents: 0, compactions: 0, largestCalls: [] },
    ...Object.fromEntries(tables),
  };
}

const call = (i: number) => ({ callId: `c${i}`, at: 0 });
const removal = (i: number) => ({ at: 1, cause: "rewind", messages: [[i, i + 1]] });
const outlineOf = (calls: number, removals: number) => ({
  outline: { calls: times(calls, call), removals: times(removals, removal) },
});

describe("a part of an archive that is too large costs itself alone, and a warning names the bound", () => {
  it.each<[string, () => readonly unknown[], string]>([
    [
      "an outline whose calls and removals are many",
      () => [session("s"), outlineOf(MOST_OUTLINE_WORK / 4_000, 4_100), message("one")],
      "has an outline that is skipped: its calls and messages times its removals are more than 20,000,000",
    ],
    [
      "facts of many quarters",
      () => [session("s", { facts: factsOf(MOST_ROWS / 6 + 1) })],
      "has facts that are skipped: a session may have 50,000 rows of them",
    ],
    [
      "a list of labels",
      () => [session("s", { labels: times(MOST_ITEM_VALUES + 1, String) })],
      "has too large a labels, which is skipped",
    ],
    [
      "usage by many models",
      () => [session("s", { usageByModel: times(MOST_ITEM_VALUES, (i) => ({ model: `m${i}` })) })],
      "has too large a usageByModel, which is skipped",
    ],
    [
      "a title",
      () => [session("s", { title: "x".repeat(200_000) })],
      "has too large a title, which is skipped",
    ],
    [
      "a member of any name",
      () => [session("s", { ["n".repeat(200_000)]: 1 })],
      `has too large a ${"n".repeat(50)}, which is skipped`,
    ],
    [
      "agents with conversations",
      () => [session("s"), ...times(MOST_CONVERSATIONS + 1, (i) => message("x", { agent: `a${i}` }))],
      "belongs to one of more than 20,000 conversations of sub-agents, and is skipped",
    ],
    [
      "the name of an agent",
      () => [session("s"), message("x", { agent: "a".repeat(1_000_000) })],
      "belongs to an agent that has no name, or too long a one, and is skipped",
    ],
    [
      "an agent that is a number",
      () => [session("s"), message("x", { agent: 7 })],
      "belongs to an agent that has no name, or too long a one, and is skipped",
    ],
    [
      "values of one line",
      () => [session("s"), `{"message":[${"0,".repeat(MOST_VALUES)}0]}`],
      "holds more than 4,000,000 values, and is skipped",
    ],
    [
      "levels of one line",
      () => [session("s"), `{"message":${nested(MOST_VALUES + 1)}}`],
      "holds more than 4,000,000 values, and is skipped",
    ],
    [
      "a state",
      () => [session("s"), { state: { agents: { a: "x".repeat(LONGEST_MEMBERS) } } }],
      "is longer than 16 Mi characters, and is skipped",
    ],
    [
      "the id of a session",
      () => [session("i".repeat(1_000_000))],
      "is no session: it has no sessionId, or too long an id",
    ],
  ])("%s", async (_name, lines, reason) => {
    const { statuses, good, reasons, messages, orchestration } = await answersOf(archiveOf(lines()));
    expect(good).toContain("hello");
    expect([...reasons, messages, orchestration].join("\n")).toContain(reason);
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true);
  });

  it.runIf(sized(0, 1))("sessions, of which the rest is left out (in the soak alone)", async () => {
    const lines = times(MOST_SESSIONS + 1, (i) => session(`s${i}`));
    const { source } = await openArchive(inBatches(archiveOf(lines)));
    const { items, warnings } = await source.findSessions!({});
    expect(items.length).toBe(MOST_SESSIONS);
    const reason = "begins more than 100,000 sessions, and is skipped";
    expect(warnings).toContainEqual({ file: "archive", line: MOST_SESSIONS + 2, reason });
  });

  it.runIf(sized(0, 1))("facts of all sessions together (in the soak alone)", async () => {
    const facts = factsOf(Math.floor(MOST_ROWS / 6));
    const lines = times(MOST_ROWS_OF_ALL / MOST_ROWS + 1, (i) => session(`s${i}`, { facts }));
    const { source } = await openArchive(inBatches(archiveOf(lines)));
    const { items, warnings } = await source.findSessions!({ withFacts: true });
    expect(items.filter((item) => item.facts !== undefined).length).toBe(MOST_ROWS_OF_ALL / MOST_ROWS);
    expect(warnings!.map(({ reason }) => reason)).toEqual([
      "has facts that are skipped: all sessions together may have 1,000,000 rows of them",
    ]);
  });

  it("warnings, of which the rest is counted", async () => {
    const count = sized(10_000, 300_000);
    const warning = (line: number) => ({ warning: { file: "f", line, reason: "is broken" }, of: "messages" });
    const { messages } = await answersOf(archiveOf([session("s"), ...times(count, warning)]));
    const { warnings } = JSON.parse(messages) as { warnings: { reason: string }[] };
    expect(warnings.length).toBe(MOST_WARNINGS + 1);
    expect(warnings.at(-1)?.reason).toBe(`and ${count - MOST_WARNINGS} more warnings, which are skipped`);
  });
});

function calledWith(messages: number): unknown[] {
  const of = { sessionId: "s", tenantId: "t", traceId: "main", source: "runtime", timestamp: LAST_ACTIVE };
  const events = [
    { type: "llm.start", callId: "answered", model: "m" },
    { type: "llm.end", callId: "answered", model: "m", usage: { inputTokens: 1, outputTokens: 1 } },
  ];
  return [
    ...events.map((event, i) => ({ envelope: { ...of, id: `e${i}`, sequence: i, event }, shows: messages })),
    ...times(messages, () => message("one")),
    { message: { role: "assistant", id: "answered", content: "two" } },
  ];
}

it.each<[string, () => object]>([
  ["removals", () => outlineOf(1, sized(20_000, 200_000))],
  ["calls", () => outlineOf(sized(20_000, 200_000), 1)],
  [
    "removals that leave many parts of the history",
    () => {
      const removals = times(1_900, (i) => ({ ...removal(2 * i), at: 2 * i + 1 }));
      return { outline: { calls: times(1_900, (i) => ({ callId: `c${i}`, at: 2 * i })), removals } };
    },
  ],
])("the context of a call is answered where the outline has many %s", async (_name, outline) => {
  const { ask, reasons } = await answersOf(archiveOf([session("s"), outline(), ...calledWith(4_000)]));
  expect(reasons).toEqual([]);
  for (const question of ["context?call=e0", "provenance?call=e0&message=1"]) {
    const { status, text } = await ask(`/sessions/s/${question}&tenantId=t`);
    expect([status, text]).toEqual([200, expect.stringContaining('"index":1,')]);
  }
});

describe("an archive is answered completely", () => {
  const DEEP = sized(20_000, 1_000_000);

  it.each<[string, () => readonly unknown[]]>([
    ["a nested state", () => [session("s"), `{"state":{"agents":{"a":${nested(DEEP)}}}}`]],
    [
      "a nested session",
      () => [`{"session":{"tenantId":"t","sessionId":"s","x":${nested(DEEP)}},"revision":"r"}`],
    ],
    ["a nested message", () => [session("s"), `{"message":${nested(DEEP)}}`]],
    ["a nested event", () => [session("s"), `{"event":${nested(DEEP)}}`]],
    ["a nested outline", () => [session("s"), `{"outline":{"calls":${nested(DEEP)},"removals":[]}}`]],
    ["a nested warning", () => [session("s"), `{"warning":${nested(DEEP)}}`]],
    [
      "agents that are each other's parents",
      () => {
        const agent = (i: number) => [`a${i}`, { agentId: `a${i}`, parentAgentId: `a${(i + 1) % 3}` }];
        return [session("s"), { state: { agents: Object.fromEntries(times(3, agent)) } }];
      },
    ],
    [
      "members of wrong kinds",
      () => [
        {
          session: {
            tenantId: "t",
            sessionId: "s",
            turns: -5,
            tokens: "7",
            lastActive: Number.NaN,
            usage: [],
            models: 3,
          },
        },
        { envelope: { id: "e", sequence: "1", timestamp: "never" }, shows: -5 },
        { envelope: 7, shows: 2 ** 40 },
        { outline: { calls: {}, removals: null } },
        { state: [] },
        { warning: { file: "f", line: -1, reason: "x" }, of: "trace" },
        { end: 3 },
        "{}",
        "[]",
        "null",
      ],
    ],
    ["a revision of 1 MB", () => [{ ...session("s"), revision: `"\r\n\0\u20ac${"r".repeat(1_000_000)}` }]],
    ["a second head", () => [session("s"), HEAD]],
    [
      "members that are there twice",
      () => [
        '{"session":{"sessionId":"x","tenantId":"t","sessionId":"s"},"session":{"sessionId":"s","tenantId":"t"}}',
      ],
    ],
  ])("with %s", async (_name, lines) => {
    const { statuses, good } = await answersOf(archiveOf(lines()));
    expect(good).toContain("hello");
    expect(statuses).toEqual([200]);
  });

  it.runIf(sized(0, 1))(
    "with sessions that are longer together than a string (in the soak alone)",
    async () => {
      const long = `[${"1e20,".repeat(MOST_ITEM_VALUES - 10)}0]`;
      const lines = times(2_600, (i) =>
        textOf(session(`s${i}`)).replace('"tenantId"', `"x":${long},"tenantId"`),
      );
      const { source } = await openArchive(inBatches(archiveOf(lines)));
      expect((await source.findSessions!({})).total).toBe(2_601);
    },
  );

  it.each([
    ["an instant that is none", { exportedAt: "never" }],
    ["a nested redaction", { redaction: JSON.parse(nested(20_000)) as unknown }],
    ["negative counts", { redaction: { removed: { a: -1, b: Number.NaN }, kept: -7 } }],
  ])("whose head has %s", async (_name, more) => {
    const head = `{"archive":${textOfDeep({ ...HEAD.archive, ...more })}}`;
    const { head: read } = await openArchive(inBatches(archiveOf([session("s")], head)));
    expect(read.exportedAt).toBe("exportedAt" in more ? "" : HEAD.archive.exportedAt);
    expect(read.redaction ?? { removed: {}, kept: 0 }).toEqual({ removed: {}, kept: 0 });
  });
});

/** `JSON.stringify` overflows the stack at this depth. */
function textOfDeep(value: Readonly<Record<string, unknown>>): string {
  return `{${Object.entries(value)
    .map(([name, member]) => `"${name}":${Array.isArray(member) ? nested(20_000) : JSON.stringify(member)}`)
    .join(",")}}`;
}

describe("an archive that is too large is refused, with its bound", () => {
  it.each<[string, () => Iterable<string>, string]>([
    [
      "lines",
      function* () {
        yield* [textOf(HEAD), ...times(MOST_LINES, () => "")];
      },
      "it has more than 2,000,000 lines.",
    ],
    [
      "characters",
      function* () {
        const line = "x".repeat(4_000_000);
        yield* [textOf(HEAD), textOf({ end: { sessions: 0, records: 0 } }), ...times(140, () => line)];
      },
      "it has more than 512 Mi characters.",
    ],
    [
      "head",
      () => [textOf({ archive: { ...HEAD.archive, prices: { x: "y".repeat(LONGEST_HEAD) } } })],
      "its first line is too long.",
    ],
  ])("by its %s", async (_name, lines, bound) => {
    const opening = openArchive(inBatches(lines()));
    await expect(opening).rejects.toThrow(bound);
    await expect(opening).rejects.toBeInstanceOf(ArchiveError);
  });

  it("by what a small file unpacks to", async () => {
    const packed = packedLines(256);
    expect(packed.length).toBeLessThan(500);
    let unpacked = 0;
    const reading = (async () => {
      for await (const lines of unpackArchive([packed])) unpacked += lines.length;
    })();
    await expect(reading).rejects.toThrow("it becomes more than 64 MiB and 20,000 times its size");
    expect(unpacked).toBeLessThan(FREE_BYTES + 20_000 * packed.length);
  });

  it("by its packed blocks, each of one character", async () => {
    const blocks = times(MOST_BLOCKS + 1, () => [1, 0, 0, 0, 1, 0x20]);
    const unpacking = allOf(unpackArchive([gzipSync(Buffer.from([2, ...blocks.flat()]))]));
    await expect(unpacking).rejects.toThrow("it has more than 4,000 packed blocks.");
  });

  it("by a block that announces more than it makes", async () => {
    const huge = [0xff, 0xff, 0xff, 0x0f]; // 32 MiB
    const announced = gzipSync(
      Buffer.concat([Buffer.from([2, 1, ...huge, ...huge, ...huge, 1]), Buffer.alloc(1e6)]),
    );
    await expect(allOf(unpackArchive([announced]))).rejects.toThrow("it has a part of an impossible length");
  });

  it.runIf(sized(0, 1))("by its longest line (in the soak alone)", async () => {
    const { LineSplitter } = await import("../../src/adapters/archive/unpack-archive.js");
    const splitter = new LineSplitter();
    const piece = Buffer.alloc(4 * 1024 * 1024, "x");
    const add = () => times(LONGEST_LINE / piece.length + 1, () => splitter.add(piece));
    expect(add).toThrow("a line has more than 64 Mi characters");
  });

  it("and costs no other source: the command says which file it left out, and why", async () => {
    const folder = await homeFolder();
    const good = path.join(folder, "good.jsonl");
    const hostile = path.join(folder, "hostile.html");
    await writeFile(good, `${archiveOf([]).join("\n")}\n`);
    const page = Buffer.from(`<!doctype html>${PACKED_MARK}${PACKED_BEGIN}${PACKED_END}`);
    await writeFile(hostile, pageWith(page, packedLines(256)));
    const both = await run("list", hostile, good);
    expect(both.stdout).toContain("good");
    expect(both.stderr).toContain('hostile.html" cannot be opened. It is too large to be opened');
    expect(both.stderr).toContain("It is skipped.");
    expect(both.code).toBe(0);
    const alone = await run("list", hostile);
    expect(alone.stderr).toContain("error: ");
    expect(alone.code).toBe(2);
  });
});

async function allOf(lines: AsyncIterable<readonly string[]>): Promise<void> {
  for await (const _batch of lines);
}
