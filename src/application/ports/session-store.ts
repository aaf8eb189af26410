import type { RecordableMessage } from "../../domain/conversation/message.js";
import { withMethods } from "../../domain/options/option-kinds.js";
import type { RecordedFacts } from "../../domain/session/recorded-facts.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { TokenUsage } from "../../domain/usage/token-usage.js";

export interface SessionStart extends SessionKey {
  readonly userId: string;
  readonly agentId?: string | undefined;
  readonly title?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** 0 where failures are counted from now on. Absent where nobody counts them. */
  readonly errors?: number | undefined;
}

export interface TurnRecord extends TokenUsage, RecordedFacts {
  /** Counted from 0 within the session. */
  readonly turnIndex: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

export interface SessionUpdate extends RecordedFacts {
  readonly title?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

export interface StoredOrchestrationEvent extends TraceEvent {
  readonly eventId: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly occurredAt: string;
}

export interface StoreCallOptions {
  /**
   * The same for each repetition of a call after `SourceUnavailableError`. A store does not store again the records of a call whose
   * answer was lost.
   */
  readonly callId?: string | undefined;
}

/**
 * Stores the histories of an agent application. Append-only, and written by `SessionRecorder`, which adds id, instant and sequence to
 * every record.
 *
 * - **Order.** The store is responsible for it, because a recorder does not wait between calls. Records of one list of one session are
 *   stored in the order of the calls, whatever the store waits for. A call that follows `openSession` without waiting is stored after it,
 *   in any list.
 * - **Durability.** A call resolves after a reader can find its records. A writer that is killed loses at most the record that it was
 *   writing.
 * - **Errors.** A call rejects if its records could not be stored; no record is stored in part and counted as complete. If the store
 *   cannot be reached at the moment, it rejects with `SourceUnavailableError`: a recorder with `onError` repeats the call, with the same
 *   `callId`, until it succeeds. The order holds for such calls, too: the store also rejects the calls that were made for that session in
 *   the meantime. A call that rejects with any other error is not repeated.
 * - **Ownership.** The caller may change records after the call has returned its promise.
 */
export interface SessionStore {
  /**
   * True if every call is complete when it returns, as in a store with objects in memory: a recorder with `onError` then needs no buffer.
   * Default is false.
   */
  readonly isImmediate?: boolean | undefined;

  /**
   * Creates the session. An existing one does not change; if it has records and no beginning, `start` becomes its beginning, and resets
   * neither counts nor title.
   * @returns the number of turns recorded before: 0 for a new session
   */
  openSession(start: SessionStart, options?: StoreCallOptions): Promise<{ readonly turns: number }>;

  updateSession(session: SessionKey, update: SessionUpdate, options?: StoreCallOptions): Promise<void>;

  appendTurn(session: SessionKey, turn: TurnRecord, options?: StoreCallOptions): Promise<void>;

  appendTraceEnvelopes(
    session: SessionKey,
    envelopes: readonly WorkflowTraceEventEnvelope[],
    options?: StoreCallOptions,
  ): Promise<void>;

  appendOrchestrationEvents(
    session: SessionKey,
    events: readonly StoredOrchestrationEvent[],
    options?: StoreCallOptions,
  ): Promise<void>;

  appendMessages(
    session: SessionKey,
    messages: readonly RecordableMessage[],
    options?: StoreCallOptions,
  ): Promise<void>;

  /** Replaces the conversation, which is archived: the effect of a compaction. */
  replaceMessages(
    session: SessionKey,
    messages: readonly RecordableMessage[],
    options?: StoreCallOptions,
  ): Promise<void>;

  /** Waits for pending writes, and releases what the store opened itself. */
  close?(): Promise<void>;
}

export const SESSION_STORE = withMethods<SessionStore>("SessionStore", [
  "openSession",
  "updateSession",
  "appendTurn",
  "appendTraceEnvelopes",
  "appendOrchestrationEvents",
  "appendMessages",
  "replaceMessages",
]);
