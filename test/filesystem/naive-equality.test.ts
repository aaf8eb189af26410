import { appendFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import type { JsonObject } from "../../src/domain/json.js";
import { mergeTrace } from "../support/merge-trace.js";
import { EMPTY_END, followEnvelope } from "../../src/domain/session-activity.js";
import { describeSession, EMPTY_LOG } from "../../src/domain/session-log.js";
import type { RecordStream, RecordWarning, WorkflowTraceEventEnvelope } from "../../src/index.js";
import { emptySession } from "../support/data-directory.js";
import { naiveJsonLines } from "../support/naive-json-lines.js";
import { inspectJson } from "../support/read-list.js";

/** Lines of any kind, with any line end: most of them records. */
const record = fc
  .record({
    traceId: fc.constantFrom("t1", "t2"),
    sequence: fc.oneof(fc.nat({ max: 9 }), fc.constant("no number")),
    timestamp: fc.oneof(
      fc.nat({ max: 9 }).map((second) => `2026-01-15T12:00:0${second}.000Z`),
      fc.constant(undefined),
    ),
    event: fc.jsonValue({ maxDepth: 1 }),
    note: fc.string({ unit: "grapheme", maxLength: 8 }),
  })
  .map((value) => JSON.stringify(value));
const line = fc.oneof(
  { arbitrary: record, weight: 8 },
  { arbitrary: fc.constantFrom("", "  ", "null", "42", "[]", "oops", '{"torn":', "\0\0", "{}"), weight: 2 },
);
const text = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", " \n")), { maxLength: 12 }),
    line,
  )
  .map(
    ([bom, lines, last]) => `${bom ? "\uFEFF" : ""}${lines.map(([body, end]) => body + end).join("")}${last}`,
  );

type Change = { readonly kind: "append" | "replace" | "rewrite" | "cut" | "delete"; readonly text: string };
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("append", "append", "append", "replace", "rewrite", "cut", "delete"),
  text,
});

async function apply(file: string, { kind, text: bytes }: Change, size: number): Promise<void> {
  switch (kind) {
    case "append":
      return appendFile(file, bytes);
    case "rewrite":
      return writeFile(file, bytes);
    case "replace":
      await writeFile(`${file}.next`, bytes);
      return rename(`${file}.next`, file);
    case "cut":
      return truncate(file, Math.floor(size / 2)).catch(() => undefined);
    case "delete":
      return rm(file, { force: true });
    default:
      kind satisfies never;
  }
}

async function recordsOf(stream: RecordStream): Promise<string[]> {
  const decoder = new TextDecoder();
  const records: string[] = [];
  for await (const batch of stream.read({ from: 0, to: stream.size })) {
    for (let i = 0; i < batch.size; i++) {
      records.push(decoder.decode(batch.text.subarray(batch.start(i), batch.end(i))));
    }
  }
  return records;
}

describe("what the filesystem source answers equals the naive way", () => {
  it("for messages, while the file is appended to, rewritten, replaced, cut and deleted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const files = await emptySession();
        const source = createFilesystemInspectorDataSource(files.dataDir);
        let bytes = Buffer.alloc(0);
        for (const step of changes) {
          await apply(files.messages, step, bytes.length);
          bytes = await readOrEmpty(files.messages);
          const naive = naiveJsonLines(bytes);
          const stream = await source.streamMessages?.("acme", "s1");
          expect(await recordsOf(stream!)).toEqual(naive.records);
          expect(stream!.warnings.map(({ line: number }) => number)).toEqual(naive.badLines);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("for a trace, merged and numbered, whole and in windows", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (bytes, limit) => {
        const files = await emptySession();
        await writeFile(files.trace, bytes);
        const naive = naiveJsonLines(Buffer.from(bytes));
        const stored = naive.records.map((json) => JSON.parse(json) as WorkflowTraceEventEnvelope);
        const expected = mergeTrace("acme", "s1", stored, []);

        const source = createFilesystemInspectorDataSource(files.dataDir);
        const path = "/sessions/s1/trace?tenantId=acme";
        const whole = await inspectJson<TraceBody>(source, path);
        expect(whole.envelopes).toEqual(JSON.parse(JSON.stringify(expected)));
        expect((whole.warnings ?? []).map(({ line: number }) => number)).toEqual(naive.badLines);

        const paged: WorkflowTraceEventEnvelope[] = [];
        for (let cursor: string | null = ""; cursor !== null; ) {
          const window: string = cursor === "" ? "" : `&cursor=${cursor}`;
          const page: TraceBody = await inspectJson<TraceBody>(source, `${path}&limit=${limit}${window}`);
          expect(page.envelopes.length).toBeLessThanOrEqual(limit);
          paged.push(...page.envelopes);
          cursor = page.nextCursor ?? null;
        }
        expect(paged).toEqual(whole.envelopes);
      }),
      { numRuns: 200 },
    );
  });

  it("for the session list, while its files grow past what is read of them, and are replaced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(RUNS, TURNS),
        fc.array(logChange, { minLength: 1, maxLength: 4 }),
        async (types, changes) => {
          const files = await emptySession();
          const source = createFilesystemInspectorDataSource(files.dataDir, { now: () => NOW });
          let written = 0;
          for (const { kind, events } of changes) {
            if (kind === "replace") written = 0;
            const lines = events.map((event) => `${eventLine(types, event, written++)}\n`).join("");
            if (kind === "append") await appendFile(files.trace, lines);
            else await apply(files.trace, { kind, text: lines }, 0);
            const end = naiveJsonLines(await readOrEmpty(files.trace))
              .records.map((json) => JSON.parse(json) as JsonObject)
              .reduce(followEnvelope, EMPTY_END);
            const said = { log: EMPTY_LOG, ends: [end] };
            const [item] = await source.listSessions();
            const expected = describeSession({ tenantId: "acme", sessionId: "s1" }, said, 0, NOW);
            expect(item?.status).toBe(expected.status);
            if (end.newest !== undefined) expect(item?.lastActive).toBe(expected.lastActive);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

const NOW = Date.UTC(2026, 0, 15, 12, 1);

/** What agents write, over and over: whole runs, or turns alone. */
const RUNS = [
  "run.start",
  "turn.start",
  "tool.end",
  "new",
  "turn.end",
  "turn.start",
  "error",
  "turn.end",
  "run_completed",
];
const TURNS = ["turn.start", "tool.end", "new", "turn.end"];

/** The lengths make logs of a few bytes and of many. Only what decides nothing is ever corrupt: a log without its ends is another. */
const logEvent = fc.record({
  more: fc.constantFrom(
    {},
    { outcome: "failed" },
    { outcome: "completed" },
    { error: { code: 1 } },
    { isError: false },
  ),
  length: fc.constantFrom(0, 0, 700, 700, 5_000, 30_000, 300_000),
  form: fc.constantFrom("plain", "plain", "escaped", "corrupt", "no instant"),
});
const logChange = fc.record({
  kind: fc.constantFrom("append", "append", "replace"),
  events: fc.array(logEvent, { maxLength: 8 }),
});

function eventLine(
  types: readonly string[],
  { more, length, form }: { more: JsonObject; length: number; form: string },
  index: number,
): string {
  const type = types[index % types.length] ?? "";
  const timestamp = form === "no instant" ? undefined : new Date(NOW - 60_000 + index * 1_000).toISOString();
  const input = { type: "error", timestamp: "2027-01-01T00:00:00.000Z" };
  const event = { type, ...more, input, text: "x".repeat(length) };
  const json = JSON.stringify({ traceId: "t1", sequence: index, timestamp, event });
  if (form === "escaped")
    return json.replace('"type"', '"\\u0074ype"').replace(type, type.replace(".", "\\u002e"));
  return form === "corrupt" && ["tool.end", "new"].includes(type) ? json.slice(0, -1) : json;
}

interface TraceBody {
  readonly envelopes: WorkflowTraceEventEnvelope[];
  readonly nextCursor?: string | null;
  readonly warnings?: readonly RecordWarning[];
}

async function readOrEmpty(file: string): Promise<Buffer<ArrayBuffer>> {
  const { readFile } = await import("node:fs/promises");
  return readFile(file).catch(() => Buffer.alloc(0));
}
