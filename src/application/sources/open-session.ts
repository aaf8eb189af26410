import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { batchOfTexts, type RecordBatch } from "../../domain/json/record-batch.js";
import { hash53 } from "../../domain/text/fingerprints.js";
import { keysOfEnvelopes } from "../../domain/trace/trace-sequence-merge.js";
import { SessionNotFoundError } from "../errors.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions, RecordSelection, RecordStream } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionKey } from "../ports/session-store.js";
import type { Window } from "../questions/window.js";
import { yieldToEventLoop } from "../threads/slices.js";
import { checkedList, checkedSnapshot, checkedState } from "./checked-snapshot.js";
import type { TenantScope } from "./inspector-access.js";

/** About how many characters of records go into one batch. */
const BATCH_CHARACTERS = 128 * 1024;

/** A request for one list of one session. */
export interface SessionRequest extends SessionKey {
  readonly window?: Window | undefined;
  /** Whose sessions the caller may see: one of another tenant is not found. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

/**
 * A session of any source: the source's own snapshot, or one made of its five methods. Either way what the source gives is
 * checked, and can be trusted further on.
 *
 * @throws SessionNotFoundError where the source knows that there is no such session
 * @throws SourceContractError where the source gives something else than the port promises, also from the snapshot's members
 */
export async function openSession(
  source: InspectorDataSource,
  { tenantId, sessionId }: SessionKey,
  options: ReadOptions = {},
): Promise<SessionSnapshot> {
  if (source.openSession === undefined) return snapshotOfLists(source, tenantId, sessionId, options);
  const snapshot = await source.openSession(tenantId, sessionId, options);
  if (snapshot === undefined) throw new SessionNotFoundError(tenantId, sessionId);
  return checkedSnapshot(snapshot);
}

/** The one place where a source with five methods becomes one that opens sessions. Each list is loaded when it is asked for. */
export function snapshotOfLists(
  source: InspectorDataSource,
  tenantId: string,
  sessionId: string,
  options: ReadOptions | undefined,
): SessionSnapshot {
  return {
    revision: undefined,
    async trace() {
      const loaded = await source.loadTraceEnvelopes(tenantId, sessionId, options);
      const envelopes = checkedList(loaded, "loadTraceEnvelopes");
      return { ...streamOf(envelopes, options), keys: keysOfEnvelopes(envelopes) };
    },
    async messages(agentId) {
      if (agentId !== undefined) return streamOf([], options);
      const messages = await source.loadMessages(tenantId, sessionId, options);
      return streamOf(checkedList(messages, "loadMessages"), options);
    },
    async orchestration() {
      const events = await source.loadOrchestrationEvents(tenantId, sessionId, options);
      return {
        events: streamOf(checkedList(events, "loadOrchestrationEvents"), options),
        state: async () => checkedState(await source.loadOrchestrationState(tenantId, sessionId, options)),
      };
    },
  };
}

/**
 * Records that are in memory, as a stream.
 *
 * @param opened the options of the snapshot that the stream is of: its signal stops every read
 */
export function streamOf(records: readonly unknown[], opened: ReadOptions = {}): RecordStream {
  return {
    size: records.length,
    warnings: [],
    read: (selection, options) => batchesOf(records, selection, [opened.signal, options?.signal]),
    fingerprintAt: (position) => fingerprintOfRecord(records[position]),
  };
}

export function fingerprintOfRecord(record: unknown): number {
  return hash53(textOf(record));
}

/** JSON has no undefined: a hole in an array is a null, as for JSON.stringify of the whole. */
function textOf(record: unknown): string {
  return jsonTextOf(record) ?? "null";
}

async function* batchesOf(
  records: readonly unknown[],
  { positions, from, to }: RecordSelection,
  signals: readonly (AbortSignal | undefined)[],
): AsyncGenerator<RecordBatch, void> {
  let texts: string[] = [];
  let characters = 0;
  for (let i = from; i < to; i++) {
    const text = textOf(records[positions?.[i] ?? i]);
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

/** How many bytes of records are parsed between two turns of the event loop. */
const PARSED_AT_ONCE = 64 * 1024;

const decoder = new TextDecoder();

/** All records of a stream, parsed: for what needs them as objects. */
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
