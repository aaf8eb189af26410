import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import type { RecordBatch } from "../../domain/json/record-batch.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";

/** A record of the source that could not be read and is therefore missing from the list. */
export interface RecordWarning {
  /** The file, as the session's own layout names it (`trace/events.jsonl`); never a path of the machine. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

export interface RecordSelection {
  /** Stored positions in the requested order. Default is the stored order. */
  readonly positions?: Uint32Array | undefined;
  /** Range in that order, without `to`. */
  readonly from: number;
  readonly to: number;
}

/** The records of one list of one session, as they were when the session was opened. */
export interface RecordStream {
  /** Positions are 0 to `size - 1`, in stored order. */
  readonly size: number;
  readonly warnings: readonly RecordWarning[];

  /**
   * Reads records in batches, each exactly as stored, byte for byte. Batches are read on demand, so memory stays bounded by a batch
   * (about a megabyte, or one larger record).
   * @throws SourceChangedError if the records changed since the snapshot
   * @throws the signal's reason after it is aborted
   */
  read(selection: RecordSelection, options?: ReadOptions): AsyncIterable<RecordBatch>;

  /**
   * Equal numbers mean equal texts of a record, in all snapshots of the session, so a client can receive only the added records. It is
   * called for every record, so it must not read anything. Without it a changed list is sent completely.
   */
  fingerprintAt?(position: number): number;
}

export interface MessageStream extends RecordStream {
  /**
   * Positions of the model calls among the messages, and the removals. Without this member both are derived from the messages: each
   * answer is a call, and the summary of a compaction replaces everything before it.
   */
  readonly outline?: ConversationOutline;
}

export interface TraceStream extends RecordStream {
  /** The same object while the envelopes are unchanged: the derived order is cached with it. */
  readonly keys: TraceKeys;

  /**
   * Stored positions of the messages in some envelopes, in the session's own conversation; -1 for an envelope without one. For a source
   * that derives both from the same records: then the trace contains every message.
   */
  messagesOf?(positions: Uint32Array, options?: ReadOptions): Promise<Int32Array>;
}

export interface ReadOptions {
  /** Aborted when no caller waits for the answer any more: stop reading, and throw the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
