import { appendFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import type { JsonObject } from "../../src/domain/json/json.js";
import { EMPTY_LOG, followLog } from "../../src/domain/session/session-log.js";
import { totalTokens } from "../../src/domain/usage/token-usage.js";
import type { RecordStream, RecordWarning, WorkflowTraceEventEnvelope } from "../../src/index.js";
import { emptySession } from "../support/data-directory.js";
import { mergeTrace } from "../support/merge-trace.js";
import { naiveJsonLines } from "../support/naive-json-lines.js";
import { pools } from "../support/pools.js";
import { inspectJson } from "../support/read-list.js";
import { runs } from "../support/soak.js";

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

describe.each(pools())("what the filesystem source answers %s equals the naive way", (_, pool) => {
  it("for messages, while the file is appended to, rewritten, replaced, cut and deleted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const files = await emptySession();
        const source = createFilesystemInspectorDataSource(files.dataDir, { pool });
        let bytes = Buffer.alloc(0);
        for (const step of changes) {
          await apply(files.messages, step, bytes.length);
          bytes = await readOrEmpty(files.messages);
          const naive = naiveJsonLines(bytes);
          const stream = await (await source.openSession!("acme", "s1"))!.messages();
          expect(await recordsOf(stream)).toEqual(naive.records);
          expect(stream.warnings.map(({ line: number }) => number)).toEqual(naive.badLines);
        }
      }),
      { numRuns: runs(80) },
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

        const source = createFilesystemInspectorDataSource(files.dataDir, { pool });
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
      { numRuns: runs(100) },
    );
  });

  it("for the turns and tokens of the list, while the log of a session grows, is rewritten and replaced", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(logChange, { minLength: 1, maxLength: 5 }), async (changes) => {
        const files = await emptySession();
        const source = createFilesystemInspectorDataSource(files.dataDir, { pool });
        for (const { kind, text: lines } of changes) {
          await apply(files.session, { kind, text: lines }, 0);
          const expected = naiveJsonLines(await readOrEmpty(files.session))
            .records.map((json) => JSON.parse(json) as JsonObject)
            .reduce(followLog, EMPTY_LOG);
          const [item] = await source.listSessions();
          expect(item).toMatchObject({ turns: expected.turns, userId: expected.userId });
          // Without counts the usage is absent, not 0.
          expect(item!.usage).toEqual(totalTokens(expected.usage) === 0 ? undefined : expected.usage);
        }
      }),
      { numRuns: runs(60) },
    );
  });
});

/** Some lines are long enough for a reading to continue from them. */
const logLine = fc.oneof(
  fc
    .record({ type: fc.constant("turn"), inputTokens: fc.nat({ max: 99 }) })
    .map((turn) => JSON.stringify(turn)),
  fc.constantFrom("ada", "bob").map((userId) => JSON.stringify({ type: "init", userId })),
  fc.constant(JSON.stringify({ type: "update", note: "x".repeat(5_000) })),
  fc.constantFrom("oops", "", "null"),
);
const logChange = fc.record({
  kind: fc.constantFrom("append", "append", "append", "rewrite", "replace"),
  text: fc
    .tuple(fc.array(logLine, { maxLength: 5 }), fc.constantFrom("", "\n"))
    .map(([lines, end]) => lines.join("\n") + end),
});

interface TraceBody {
  readonly envelopes: WorkflowTraceEventEnvelope[];
  readonly nextCursor?: string | null;
  readonly warnings?: readonly RecordWarning[];
}

async function readOrEmpty(file: string): Promise<Buffer<ArrayBuffer>> {
  const { readFile } = await import("node:fs/promises");
  return readFile(file).catch(() => Buffer.alloc(0));
}
