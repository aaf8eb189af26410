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

/** Which records, in which order. */
export interface RecordSelection {
  /** Stored positions in the order wanted; without it, the stored order itself. */
  readonly positions?: Uint32Array | undefined;
  /** The part of that order: from `from` up to, but without, `to`. */
  readonly from: number;
  readonly to: number;
}

/** The records of one list of one session, as they were when the session was opened. */
export interface RecordStream {
  /** How many records there are; they have the positions 0 to `size - 1`, in stored order. */
  readonly size: number;
  readonly warnings: readonly RecordWarning[];

  /**
   * Reads records in batches, each exactly as it is stored, byte for byte. The next batch is read when it is asked for, so
   * a slow reader holds up the source and memory stays bounded by a batch (about a megabyte, or one record that is larger).
   *
   * @throws SourceChangedError where the records are no longer there as they were
   * @throws the signal's reason once it is aborted
   */
  read(selection: RecordSelection, options?: ReadOptions): AsyncIterable<RecordBatch>;

  /**
   * A number for the record at a position: where any snapshot of the session gives the same number for a record of the same list, that
   * record has the same text. So a client can be sent what was added alone. It is called for every record, so it reads nothing.
   * Without it a list that changed is sent whole.
   */
  fingerprintAt?(position: number): number;
}

/** The messages of a conversation. */
export interface MessageStream extends RecordStream {
  /**
   * Where the model calls lie among the messages, and what was taken away from them. Without it both are worked out from the messages: each
   * answer is a call, and the summary of a compaction takes the place of what lies before it.
   */
  readonly outline?: ConversationOutline;
}

/** The runtime envelopes of a session, with what the merge has to know of each. */
export interface TraceStream extends RecordStream {
  /** The same object as long as the envelopes are the same: the order that is derived from it is kept with it. */
  readonly keys: TraceKeys;

  /**
   * Which messages of the session's own conversation some envelopes show, by their stored positions; -1 for an envelope that shows
   * none. For a source that derives both from the same records: then every message is in the trace, too.
   */
  messagesOf?(positions: Uint32Array, options?: ReadOptions): Promise<Int32Array>;
}

export interface ReadOptions {
  /** Aborted when no caller waits for the answer any more: stop reading, and throw the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
