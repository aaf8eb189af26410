import { keysOfEnvelopes } from "../domain/merge-trace.js";
import { breathe } from "./breathe.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import type {
  ReadOptions,
  RecordBatch,
  RecordSelection,
  RecordStream,
  TraceStream,
} from "./ports/record-stream.js";

/** About how many characters of records go into one batch. */
const BATCH_CHARACTERS = 128 * 1024;

const encoder = new TextEncoder();

/** The trace of a source as a stream: its own, or its array cut into batches. */
export async function openTrace(
  source: InspectorDataSource,
  tenantId: string,
  sessionId: string,
  options: ReadOptions,
): Promise<TraceStream> {
  if (source.streamTraceEnvelopes !== undefined) {
    return source.streamTraceEnvelopes(tenantId, sessionId, options);
  }
  const envelopes = await source.loadTraceEnvelopes(tenantId, sessionId, options);
  return { ...streamOf(envelopes), keys: keysOfEnvelopes(envelopes) };
}

/** The messages of a source as a stream: its own, or its array cut into batches. */
export async function openMessages(
  source: InspectorDataSource,
  tenantId: string,
  sessionId: string,
  options: ReadOptions,
): Promise<RecordStream> {
  if (source.streamMessages !== undefined) return source.streamMessages(tenantId, sessionId, options);
  return streamOf(await source.loadMessages(tenantId, sessionId, options));
}

/** Records that are in memory, as a stream. */
export function streamOf(records: readonly unknown[]): RecordStream {
  return {
    size: records.length,
    warnings: [],
    read: (selection, options) => batchesOf(records, selection, options),
  };
}

async function* batchesOf(
  records: readonly unknown[],
  { positions, from, to }: RecordSelection,
  { signal }: ReadOptions = {},
): AsyncGenerator<RecordBatch, void> {
  let texts: string[] = [];
  let characters = 0;
  for (let i = from; i < to; i++) {
    // JSON has no undefined: a hole in an array is a null, as for JSON.stringify of the whole
    const text = JSON.stringify(records[positions?.[i] ?? i]) ?? "null";
    texts.push(text);
    characters += text.length;
    if (characters < BATCH_CHARACTERS && i + 1 < to) continue;
    signal?.throwIfAborted();
    yield batchOfTexts(texts);
    texts = [];
    characters = 0;
    if (i + 1 < to) await breathe();
  }
}

/** JSON texts as one batch. */
export function batchOfTexts(texts: readonly string[]): RecordBatch {
  const text = encoder.encode(texts.join(","));
  const ends: number[] = [];
  let at = 0;
  for (const record of texts) {
    at += Buffer.byteLength(record);
    ends.push(at);
    at += 1;
  }
  return {
    size: texts.length,
    text,
    start: (i) => (i === 0 ? 0 : ends[i - 1]! + 1),
    end: (i) => ends[i]!,
  };
}
