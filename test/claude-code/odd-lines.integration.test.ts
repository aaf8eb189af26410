import { readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { mergeTrace } from "../support/merge-trace.js";
import { messagesOf, traceOf } from "../support/snapshots.js";
import { runs } from "../support/soak.js";
import { at, FIXTURES, lines, newProjects, openHistories, storedIn, userRecord } from "./support/projects.js";

const source = createClaudeCodeDataSource(FIXTURES);

describe("unexpected lines", () => {
  it("are shown as they are where they are records, and reported where they are none", async () => {
    const stream = await traceOf(source, "odd", "odd");
    expect(stream.warnings).toEqual([
      { file: "odd.jsonl", line: 2, reason: "is valid JSON, but no object" },
      { file: "odd.jsonl", line: 3, reason: "is valid JSON, but no object" },
      { file: "odd.jsonl", line: 4, reason: "is valid JSON, but no object" },
      { file: "odd.jsonl", line: 5, reason: "is valid JSON, but no object" },
      { file: "odd.jsonl", line: 15, reason: expect.stringContaining("token count") },
      { file: "odd.jsonl", line: 17, reason: "is not valid JSON" },
    ]);
    const trace = await source.loadTraceEnvelopes("odd", "odd");
    const shown = new Set(trace.map((envelope) => storedIn(envelope).line));
    expect([...shown].sort((a, b) => a - b)).toEqual([1, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20]);
    expect(trace.find((envelope) => storedIn(envelope).line === 9)!.event).toMatchObject({
      type: "text",
      role: "user",
      record: { message: { role: "user", content: 5 } },
    });
  });

  it("leave the turn before them as it was", async () => {
    const item = (await source.listSessions()).find(({ sessionId }) => sessionId === "odd");
    expect(item).toMatchObject({ title: "Hello.", turns: 1, tokens: 0 });
  });

  it("harm no session, whatever JSON they hold", { timeout: 60_000 }, async () => {
    const keys = fc.constantFrom(
      ..."type uuid message content usage data attachment agentId isSidechain timestamp parentUuid".split(
        " ",
      ),
      ..."subtype toolUseResult tool_use_id id role origin error compactMetadata input name text".split(" "),
    );
    const words = fc.constantFrom(
      ..."user assistant system progress agent_progress tool_use tool_result text summary Task".split(" "),
      ..."api_error compact_boundary turn_duration custom-title ai-title".split(" "),
      at(3),
    );
    const { record } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        words,
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("record"),
      ),
      record: fc.dictionary(keys, tie("value"), { maxKeys: 8 }),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 12 }), async (records) => {
        const root = await newProjects({ "p/s.jsonl": lines(...records) });
        const odd = openHistories(root);
        const [item] = await odd.listSessions();
        expect(item!.tokens).toBeGreaterThanOrEqual(0);
        const trace = await odd.loadTraceEnvelopes("p", "s");
        const shown = new Set(trace.map((envelope) => storedIn(envelope).line));
        expect(shown.size).toBe(records.length);
        expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
        const merged = mergeTrace("p", "s", trace, await odd.loadOrchestrationEvents("p", "s"));
        expect(merged.every(({ event }) => typeof event.type === "string")).toBe(true);
        expect(merged.every(({ timestamp }) => !Number.isNaN(Date.parse(timestamp)))).toBe(true);
        await odd.loadOrchestrationState("p", "s");
        await odd.loadMessages("p", "s");
      }),
      { numRuns: runs(150) },
    );
  });

  it("may be too long to hold: their tool calls are paired, their texts cut in the trace and whole in the messages", async () => {
    const long = "x".repeat(3 * 1024 * 1024);
    const call = { type: "tool_use", id: "t1", name: "Write", input: { content: long } };
    const usage = { input_tokens: 5, output_tokens: 7 };
    const root = await newProjects({
      "p/s.jsonl": lines(
        { type: "assistant", timestamp: at(1), message: { id: "m", content: [call], usage } },
        {
          type: "user",
          timestamp: at(2),
          message: { content: [{ type: "tool_result", tool_use_id: "t1", content: long }] },
        },
        { type: "novelty", timestamp: at(3), long },
      ),
    });
    const big = createClaudeCodeDataSource(root);
    expect((await big.listSessions())[0]!.tokens).toBe(12);
    const trace = await big.loadTraceEnvelopes("p", "s");
    const [start] = trace.filter(({ event }) => event.type === "tool.start");
    const [end] = trace.filter(({ event }) => event.type === "tool.end");
    expect(start!.event).toMatchObject({ toolCallId: "t1", toolName: "Write" });
    expect(end!.event).toMatchObject({ toolCallId: "t1", toolName: "Write" });
    expect(end!.event.output).toMatch(/^x{4096} … 3141632 bytes more$/);
    expect(trace.find(({ event }) => event.type === "claude-code.novelty")!.event.record).toMatchObject({
      long,
    });
    const messages = await big.loadMessages("p", "s");
    expect(messages).toMatchObject([
      { content: [{ input: { content: long } }] },
      { content: [{ content: long }] },
    ]);
  });
});

describe("the messages of a Claude Code session", () => {
  it("are the message objects of the conversation, byte for byte, in the order of the file", async () => {
    const stream = await messagesOf(source, "shop", "aaaaaaaa-0000-4000-8000-000000000001");
    const texts: string[] = [];
    for await (const batch of stream.read({ from: 0, to: stream.size })) {
      for (let i = 0; i < batch.size; i++)
        texts.push(Buffer.from(batch.text.subarray(batch.start(i), batch.end(i))).toString());
    }
    const file = path.join(FIXTURES, "shop/aaaaaaaa-0000-4000-8000-000000000001.jsonl");
    const stored = (await readFile(file, "utf8")).split("\n");
    const withMessage = stored.filter((line) =>
      /"gitBranch":"main","type":"(user|assistant)","message"/.test(line),
    );
    expect(texts).toHaveLength(withMessage.length);
    texts.forEach((message, i) => {
      expect(withMessage[i]).toContain(`"message":${message}`);
    });
  });

  it("keep numbers that no double holds", async () => {
    const message = '{"z":9007199254740993,"a":1.10,"role":"user","content":"hi"}';
    const root = await newProjects({ "p/s.jsonl": `{"type":"user","message":${message},"uuid":"u"}\n` });
    const stream = await messagesOf(createClaudeCodeDataSource(root), "p", "s");
    for await (const { text } of stream.read({ from: 0, to: 1 }))
      expect(Buffer.from(text).toString()).toBe(message);
    expect(stream.size).toBe(1);
  });

  it("can be read from any place in any order", async () => {
    const root = await newProjects({
      "p/s.jsonl": lines(...["a", "b", "c", "d"].map((content, i) => userRecord(i, i, content))),
    });
    const stream = await messagesOf(createClaudeCodeDataSource(root), "p", "s");
    const read: unknown[] = [];
    for await (const { text } of stream.read({ positions: Uint32Array.of(3, 1, 0, 2), from: 1, to: 4 }))
      read.push(...(JSON.parse(`[${Buffer.from(text).toString()}]`) as unknown[]));
    expect(read).toMatchObject([{ content: "b" }, { content: "a" }, { content: "c" }]);
  });
});
