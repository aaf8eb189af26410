import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { geminiCliFormat } from "../../src/adapters/formats/gemini-cli/gemini-cli-format.js";
import { GrowingFile } from "../../src/adapters/transcripts/trace/growing-file.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { runs } from "../support/soak.js";
import {
  at,
  document,
  gemini,
  header,
  lines,
  newHome,
  note,
  openHistories,
  toolCall,
  user,
} from "./support/homes.js";

const FILE = "tmp/p/chats/session-a";

const RECORDS: readonly unknown[] = [
  user("u1", 1, "Go."),
  gemini("g1", 3, "Yes.", {
    thoughts: [{ subject: "A" }, "odd", null],
    toolCalls: [toolCall("t1", 4, "out"), 5],
  }),
  gemini("g1", 3, "Yes.", {
    toolCalls: [toolCall("t1", 4, "out", { status: "error" }), toolCall("t2", 5, "")],
  }),
  gemini("g2", 6, "", { tokens: { input: -1, output: "many", cached: 7 }, model: 5 }),
  note("i1", 7, "info", "Request cancelled."),
  note("e1", 8, "error", ""),
  { id: "x1", type: "later", content: { deep: [[]] } },
  { id: 5, type: "gemini", content: [1, { text: 2 }, { inlineData: {} }, "text"], toolCalls: "none" },
  { id: "u2", type: "user", content: null, timestamp: "no time" },
  { type: "user" },
  { type: 7, sessionId: 5 },
  {},
  { $set: { messages: [user("u9", 9, "<state_snapshot>"), "odd", gemini("g1", 3, "Yes.")] } },
  { $set: 5 },
  { $rewindTo: "g1" },
  { $rewindTo: 9 },
  { sessionId: "s1", messages: [user("u8", 2, "Old.")] },
];

const sequence = fc.array(fc.constantFrom(...RECORDS), { maxLength: 25 });

async function accounted(home: string) {
  const source = openHistories(home);
  const [item, ...others] = await source.listSessions();
  expect(others).toEqual([]);
  const { tenantId, sessionId } = item!;
  const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
  const { warnings } = await (await source.openSession!(tenantId, sessionId))!.trace();
  const shown = new Set(trace.map(({ event }) => (event.stored as { line: number }).line));
  expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
  expect(new Set(trace.map(({ sequence: own }) => own)).size).toBe(trace.length);
  expect(trace.every(({ timestamp }) => new Date(timestamp).toISOString() === timestamp)).toBe(true);
  const messages = await source.loadMessages(tenantId, sessionId);
  await source.close?.();
  return {
    item: item!,
    trace,
    messages,
    shown,
    unread: warnings.map(({ line }) => line).filter((line) => !shown.has(line)),
  };
}

describe("Whatever a file holds", () => {
  it("each of its lines is shown, or reported", async () => {
    const home = await newHome({ [`${FILE}.jsonl`]: "" });
    const noRecord = fc.constantFrom("no json", "[1]", '{"id":', "7");
    const text = fc.array(
      fc.oneof(
        { weight: 5, arbitrary: sequence.map((all) => lines(...all)) },
        noRecord.map((odd) => `${odd}\n`),
      ),
      {
        maxLength: 5,
      },
    );
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const all = parts.join("");
        await writeFile(path.join(home, `${FILE}.jsonl`), lines(header("s1")) + all);
        const { shown, unread } = await accounted(home);
        expect(shown.size + new Set(unread).size).toBe(1 + all.split("\n").length - 1);
      }),
      { numRuns: runs(60) },
    );
  });

  it("each element of its messages is shown, or reported", async () => {
    const home = await newHome({ [`${FILE}.json`]: "" });
    const element = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...RECORDS) },
      fc.constantFrom(1, "text", null, []),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(element, { maxLength: 25 }), async (elements) => {
        await writeFile(path.join(home, `${FILE}.json`), document(header("s1"), elements as unknown[]));
        const { shown, unread } = await accounted(home);
        expect(shown.size + unread.length).toBe(1 + elements.length);
      }),
      { numRuns: runs(60) },
    );
  });

  it("a file that is cut anywhere shows what is whole, and never more than one thing else", async () => {
    const home = await newHome({ [`${FILE}.json`]: "" });
    const whole = document(header("s1"), RECORDS.slice(0, 9), { summary: "Title" });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
        await writeFile(path.join(home, `${FILE}.json`), whole.slice(0, length));
        const { shown, unread } = await accounted(home);
        expect(unread.length).toBe(length === 0 ? 0 : 1);
        expect([...shown]).toEqual([...shown].sort((a, b) => a - b));
        expect(Math.max(0, ...shown)).toBe(shown.size);
      }),
      { numRuns: runs(60) },
    );
  });

  it("messages that are written twice count once, in whatever order they come", async () => {
    const home = await newHome({ [`${FILE}.jsonl`]: "" });
    const messages = [
      user("u1", 1, "Go."),
      gemini("g1", 3, "A."),
      gemini("g2", 5, "B."),
      user("u2", 9, "On."),
    ];
    const order = fc.shuffledSubarray([...messages, ...messages], { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(order, async (written) => {
        await writeFile(path.join(home, `${FILE}.jsonl`), lines(header("s1"), ...written));
        const { item, messages: raw, trace } = await accounted(home);
        expect(item).toMatchObject({ turns: 2, tokens: 2 * 115 });
        expect(raw).toHaveLength(4);
        expect(trace.filter(({ event }) => event.type === "gemini-cli.rewritten")).toHaveLength(4);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe("A document that is written anew while it is shown", () => {
  const messages = [
    user("u1", 1, "Go."),
    gemini("g1", 3, "A."),
    user("u2", 9, "On."),
    gemini("g2", 12, "B."),
  ];

  it("is derived anew, whether it grew, shrank or changed in the middle", async () => {
    const home = await newHome({ [`${FILE}.json`]: document(header("s1"), messages.slice(0, 2)) });
    const source = openHistories(home);
    const turns = async () => {
      const trace = await source.loadTraceEnvelopes("p", "s1");
      const [item] = await source.listSessions();
      expect(item!.warnings).toBeUndefined();
      const starts = trace.filter(({ event }) => event.type === "turn.start");
      expect(starts).toHaveLength(item!.turns);
      return starts.map(({ event }) => (event.input as { text: string }[])[0]!.text);
    };
    expect(await turns()).toEqual(["Go."]);
    for (const [now, expected] of [
      [messages, ["Go.", "On."]],
      [
        [user("u1", 1, "No."), ...messages.slice(1)],
        ["No.", "On."],
      ],
      [messages.slice(2), ["On."]],
      [
        [...messages, user("u3", 20, "x".repeat(600_000))],
        ["Go.", "On.", "x".repeat(600_000)],
      ],
      [
        [user("u0", 0, "First."), ...messages],
        ["First.", "Go.", "On."],
      ],
    ] as const) {
      await writeFile(path.join(home, `${FILE}.json`), document(header("s1", { lastUpdated: at(99) }), now));
      expect(await turns()).toEqual(expected);
    }
  });

  it("is derived up to so much memory, and the rest is one problem", async () => {
    const home = await newHome({
      [`${FILE}.json`]: document(
        header("s1"),
        Array.from({ length: 3_000 }, (_, i) => user(`u${i}`, i, "x".repeat(300))),
      ),
    });
    const options = {
      agentId: "",
      isOneConversation: true,
      isContinued: false,
      retainsRows: true,
      isReplay: () => false,
    };
    const file = new GrowingFile(
      home,
      path.join(home, `${FILE}.json`),
      geminiCliFormat,
      { ...options, arrayMember: "messages" },
      100_000,
    );
    const { conversations, problems } = runToEnd(file.read(Number.POSITIVE_INFINITY))!;
    const { turns } = conversations[0]!;
    expect(turns).toBeGreaterThan(0);
    expect(turns).toBeLessThan(3_000);
    expect(problems).toEqual([{ line: turns + 2, reason: expect.stringContaining("are skipped") }]);
  });

  it("is not read at places that it had before", async () => {
    const home = await newHome({ [`${FILE}.json`]: document(header("s1"), messages) });
    const source = openHistories(home);
    const session = (await source.openSession!("p", "s1"))!;
    const trace = await session.trace();
    const raw = await session.messages();
    await writeFile(
      path.join(home, `${FILE}.json`),
      document(header("s1"), [...messages, user("u3", 20, "More.")]),
    );
    for (const stream of [trace, raw]) {
      const read = async () => {
        for await (const _ of stream.read({ from: 0, to: stream.size }));
      };
      await expect(read()).rejects.toThrow(/changed|written over/);
    }
    expect(await source.loadMessages("p", "s1")).toHaveLength(5);
  });
});
