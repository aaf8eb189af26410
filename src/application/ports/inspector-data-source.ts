import type { Message } from "../../domain/message.js";
import type { OrchestrationSnapshot } from "../../domain/orchestration.js";
import type { InspectorSessionItem, SessionPlace, SessionStatus } from "../../domain/session.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace-envelope.js";
import type { ReadOptions, RecordStream, RecordWarning, TraceStream } from "./record-stream.js";

/** What `loadOrchestrationState` returns. */
export interface OrchestrationState {
  readonly snapshot: OrchestrationSnapshot;
  /** The events that could not be read, where there are some and the source can tell. */
  readonly warnings?: readonly RecordWarning[];
}

/**
 * Where the inspector reads histories from. Five methods are all that a source needs; the optional members make it say
 * more (`hasSession`), answer sooner (`revision`) and hold less in memory (`stream…`).
 *
 * - **Absence.** An unknown session is no error: its lists are empty and its state is `null`. Only `hasSession` tells an
 *   unknown session from an empty one.
 * - **Order.** Lists come in the order in which they were stored. The inspector sorts, merges, filters and pages.
 * - **Ownership.** What a method returns belongs to the caller; changing it does not change the source.
 * - **Unknown records.** What the source does not understand it returns as it is. What it cannot read at all it leaves out
 *   and, where it streams, reports as a warning.
 * - **Errors.** A method rejects with `SourceUnavailableError` where the store cannot be reached just now (503), and with
 *   anything else where something is broken (500, with a detail that says nothing of the cause).
 * - **Ids** come checked: not empty, no path separator, not `.` or `..`, no control character.
 * - **Concurrency.** Methods are called at the same time, also for the same session.
 *
 * @example
 * const source: InspectorDataSource = {
 *   listSessions: async () => [session],
 *   loadTraceEnvelopes: async (tenantId, sessionId) => envelopes,
 *   loadOrchestrationEvents: async () => [],
 *   loadOrchestrationState: async () => null,
 *   loadMessages: async () => [{ role: "user", content: "hello" }],
 * };
 */
export interface InspectorDataSource {
  /** The sessions of all tenants, in any order. A session that cannot be read is left out rather than failing the list. */
  listSessions(options?: ReadOptions): Promise<InspectorSessionItem[]>;

  /** The runtime envelopes of all traces of a session, as stored. */
  loadTraceEnvelopes(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<WorkflowTraceEventEnvelope[]>;

  /** The orchestration events of a session, as stored. */
  loadOrchestrationEvents(tenantId: string, sessionId: string, options?: ReadOptions): Promise<unknown[]>;

  /** The state after all orchestration events; `null` when there is none. Events that could not be read are told with it. */
  loadOrchestrationState(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<OrchestrationState | null>;

  /** The messages of a session's conversation, as stored. */
  loadMessages(tenantId: string, sessionId: string, options?: ReadOptions): Promise<Message[]>;

  /** Whether there is such a session. Without it an unknown session is an empty one, and nothing is ever 404. */
  hasSession?(tenantId: string, sessionId: string, options?: ReadOptions): Promise<boolean>;

  /**
   * An opaque string that changes whenever what the source would return changes: for one session, or without ids for the
   * list. It becomes the `ETag`; `undefined` where the source cannot tell. It must cost far less than the reading that it
   * saves. Without it every request is answered in full.
   */
  revision?(tenantId?: string, sessionId?: string, options?: ReadOptions): Promise<string | undefined>;

  /** What `loadTraceEnvelopes` returns, as text, in bounded memory. Without it the array is loaded and cut into batches. */
  streamTraceEnvelopes?(tenantId: string, sessionId: string, options?: ReadOptions): Promise<TraceStream>;

  /** What `loadMessages` returns, as text, in bounded memory. Without it the array is loaded and cut into batches. */
  streamMessages?(tenantId: string, sessionId: string, options?: ReadOptions): Promise<RecordStream>;

  /**
   * The sessions that match, in the order of the list: newest `lastActive` first, then by `tenantId`, then by `sessionId`,
   * texts compared by UTF-16 code units. For a store that can search by itself; it answers exactly what the inspector would
   * make of `listSessions`. Without it every session is loaded for every page.
   */
  findSessions?(search: SessionSearch, options?: ReadOptions): Promise<InspectorSessionItem[]>;

  /**
   * What `findSessions` finds, each session as the JSON text that `JSON.stringify` makes of it: for a store that keeps these
   * texts. They go out byte for byte. `undefined` where the store has not got all of them; then, and without this method,
   * `findSessions` is asked.
   */
  findSessionTexts?(search: SessionSearch, options?: ReadOptions): Promise<string[] | undefined>;

  /** Releases what the source opened itself. Called once, by whoever created the source; no method is called after it. */
  close?(): Promise<void>;
}

/** Which sessions are wanted. What is given narrows the list together. */
export interface SessionSearch {
  readonly tenantId?: string | undefined;
  readonly userId?: string | undefined;
  /** The status at the moment of the search: `running` depends on the clock. */
  readonly status?: SessionStatus | undefined;
  /** Part of the session's id, user or title: both in small letters, as `toLowerCase` makes them. */
  readonly text?: string | undefined;
  /** Only sessions that come after this place in the list; there need not be one at it any more. */
  readonly after?: SessionPlace | undefined;
  /** How many sessions at most. Default is all. */
  readonly limit?: number | undefined;
}
