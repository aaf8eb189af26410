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

/** Selection and order of records. */
export interface RecordSelection {
  /** Stored positions in the order wanted; without it, the stored order itself. */
  readonly positions?: Uint32Array | undefined;
  /** The part of that order: from `from` up to, but without, `to`. */
  readonly from: number;
  readonly to: number;
}

/** The records of one list of one session, as they were when the session was opened. */
export interface RecordStream {
  /** Number of records; they have the positions 0 to `size - 1`, in stored order. */
  readonly size: number;
  readonly warnings: readonly RecordWarning[];

  /**
   * Reads records in batches, each exactly as it is stored, byte for byte. The next batch is read on demand, so a slow reader slows the
   * source down, and memory stays bounded by a batch (about a megabyte, or one larger record).
   *
   * @throws SourceChangedError if the records changed since the snapshot
   * @throws the signal's reason after it is aborted
   */
  read(selection: RecordSelection, options?: ReadOptions): AsyncIterable<RecordBatch>;

  /**
   * A number for the record at a position. If any snapshot of the session returns the same number for a record of the same list, that
   * record has the same text. So a client can receive only the added records. It is called for every record, so it must not read
   * anything. Without this method a changed list is sent completely.
   */
  fingerprintAt?(position: number): number;
}

/** The messages of a conversation. */
export interface MessageStream extends RecordStream {
  /**
   * Positions of the model calls among the messages, and the removals. Without this member both are derived from the messages: each
   * answer is a call, and the summary of a compaction replaces everything before it.
   */
  readonly outline?: ConversationOutline;
}

/** The runtime envelopes of a session, with what the merge has to know of each. */
export interface TraceStream extends RecordStream {
  /** The same object while the envelopes are unchanged: the derived order is cached with it. */
  readonly keys: TraceKeys;

  /**
   * Stored positions of the messages that some envelopes contain, in the session's own conversation; -1 for an envelope without a
   * message. It is for a source that derives both from the same records: then every message is in the trace, too.
   */
  messagesOf?(positions: Uint32Array, options?: ReadOptions): Promise<Int32Array>;
}

export interface ReadOptions {
  /** Aborted when no caller waits for the answer any more: stop reading, and throw the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
