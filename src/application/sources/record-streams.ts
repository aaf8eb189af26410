import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { batchOfTexts, type RecordBatch } from "../../domain/json/record-batch.js";
import { hash53 } from "../../domain/text/fingerprints.js";
import { replayInSteps } from "../../domain/trace/replay-orchestration.js";
import type { ReadOptions, RecordSelection, RecordStream } from "../ports/record-stream.js";
import type { OrchestrationLog } from "../ports/session-snapshot.js";
import { runInSlices, yieldToEventLoop } from "../threads/slices.js";

/** Twice as many characters make V8 allocate a large object, which takes four times as long. */
const BATCH_CHARACTERS = 64 * 1024;

/** @param opened the options of the stream's snapshot: its signal stops every read */
export function streamOf(records: readonly unknown[], opened: ReadOptions = {}): RecordStream {
  const stream = streamOfTexts(records.length, (position) => textOf(records[position]), opened);
  return { ...stream, fingerprintAt: (position) => fingerprintOfRecord(records[position]) };
}

export function streamOfTexts(
  size: number,
  textAt: (position: number) => string,
  opened: ReadOptions = {},
): RecordStream {
  return {
    size,
    warnings: [],
    read: (selection, options) => batchesOf(textAt, selection, [opened.signal, options?.signal]),
  };
}

export function fingerprintOfRecord(record: unknown): number {
  return hash53(textOf(record));
}

/** JSON has no undefined: `JSON.stringify` also makes null of a hole in an array. */
function textOf(record: unknown): string {
  return jsonTextOf(record) ?? "null";
}

async function* batchesOf(
  textAt: (position: number) => string,
  { positions, from, to }: RecordSelection,
  signals: readonly (AbortSignal | undefined)[],
): AsyncGenerator<RecordBatch, void> {
  let texts: string[] = [];
  let characters = 0;
  for (let i = from; i < to; i++) {
    const text = textAt(positions?.[i] ?? i);
    texts.push(text);
    characters += text.length;
    if (characters < BATCH_CHARACTERS && i + 1 < to) continue;
    for (const signal of signals) signal?.throwIfAborted();
    yield batchOfTexts(texts);
    texts = [];
    characters = 0;
    if (i + 1 < to) await yieldToEventLoop();
  }
}

const PARSED_AT_ONCE = 64 * 1024;

const decoder = new TextDecoder();

export async function readAllRecords<T>(stream: RecordStream, options: ReadOptions = {}): Promise<T[]> {
  const records: T[] = [];
  let parsed = 0;
  for await (const batch of stream.read({ from: 0, to: stream.size }, options)) {
    for (let i = 0; i < batch.size; i++) {
      const bytes = batch.text.subarray(batch.start(i), batch.end(i));
      records.push(JSON.parse(decoder.decode(bytes)) as T);
      parsed += bytes.length;
      if (parsed < PARSED_AT_ONCE) continue;
      parsed = 0;
      await yieldToEventLoop();
      options.signal?.throwIfAborted();
    }
  }
  return records;
}

export function logOf(events: RecordStream, options: ReadOptions = {}): OrchestrationLog {
  return {
    events,
    async state() {
      if (events.size === 0) return null;
      const records = await readAllRecords<unknown>(events, options);
      return { snapshot: await runInSlices(replayInSteps(null, records), options.signal) };
    },
  };
}
