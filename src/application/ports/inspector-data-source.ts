import type { Message } from "../../domain/conversation/message.js";
import type { SessionFilter } from "../../domain/filter/session-filter.js";
import type { OptionKind } from "../../domain/options/check-options.js";
import { numberOf, withMethods } from "../../domain/options/option-kinds.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import type { SessionSortKey, SessionStatus } from "../../domain/session/session.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { RecordSearch, RecordSearchPage } from "./record-search.js";
import type { ReadOptions, RecordWarning } from "./record-stream.js";
import type { OrchestrationState, SessionSnapshot } from "./session-snapshot.js";
import type { SourceSurvey, SurveyRequest } from "./source-survey.js";

/**
 * Provides histories to the inspector. A source needs only five methods. With the optional members the inspector distinguishes an unknown
 * session from an empty one, answers sooner, and needs less memory.
 *
 * - **Absence.** An unknown session is not an error: its lists are empty and its state is `null`. Only `openSession` distinguishes an
 *   unknown session from an empty one.
 * - **Order.** Lists come in stored order. The inspector sorts, merges, filters and pages.
 * - **Ownership.** A returned value belongs to the caller; changing it does not change the source.
 * - **Unknown records.** The source returns records of unknown types unchanged. It omits unreadable records and, in a snapshot, reports
 *   them as warnings.
 * - **Errors.** A method rejects with `SourceUnavailableError` if the store cannot be reached at the moment (503). Any other error means
 *   that something is broken (500, without the cause in the answer). Throwing synchronously has the same effect. Values are checked. A
 *   list that is not an array, a session without a `sessionId`, or a stream of another size than announced is also 500, or ends the
 *   answer early.
 * - **Members of a session.** Every session has seven members (`tenantId`, `sessionId`, `userId`, `lastActive`, `turns`, `tokens`,
 *   `status`). All but `sessionId` may be omitted. Defaults are `"default"`, `""`, the instant of `createdAt` or of the newest model call
 *   (otherwise 1970), 0, the sum of `usage` or of `usageByModel` (otherwise 0), and `idle`. `lastActive` may be a `Date`, milliseconds or
 *   any ISO 8601 text.
 * - **Time.** After the inspector's `timeoutMs` the answer is 503, and the signal is aborted. The source's own work, such as a timer or a
 *   listener of the signal, runs in the host: the source must catch its errors.
 * - **Ids** are checked: not empty, no path separator, not `.` or `..`, no control character.
 * - **Concurrency.** Methods are called in parallel, also for the same session, with at most `concurrentReads` calls at a time. Two calls
 *   may share a signal.
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
  /** The sessions of all tenants, in any order. An unreadable session is omitted and does not fail the list. */
  listSessions(options?: ReadOptions): Promise<ListedSession[]>;

  /** The runtime envelopes of all traces of a session, as stored. */
  loadTraceEnvelopes(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<WorkflowTraceEventEnvelope[]>;

  /** The orchestration events of a session, as stored. */
  loadOrchestrationEvents(tenantId: string, sessionId: string, options?: ReadOptions): Promise<unknown[]>;

  /** The state after all orchestration events; `null` without a state. It lists unreadable events. */
  loadOrchestrationState(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<OrchestrationState | null>;

  /** The messages of a session's conversation, as stored. */
  loadMessages(tenantId: string, sessionId: string, options?: ReadOptions): Promise<Message[]>;

  /**
   * Opens one session in its present state, in bounded memory; `undefined` for an unknown session. Without this method an unknown session
   * is an empty one, no answer is 404 or 304, and lists are loaded completely.
   */
  openSession?(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<SessionSnapshot | undefined>;

  /**
   * The sessions that match: newest `lastActive` first, then by `tenantId`, then by `sessionId`, compared by UTF-16 code units. It
   * answers exactly like `listSessions` with the inspector's own search; without it every session is loaded for every page. A source that
   * learns facts of a session only by reading it may place it too late in earlier pages.
   */
  findSessions?(search: SessionSearch, options?: ReadOptions): Promise<SessionPage>;

  /**
   * Returns sessions that may contain a text: every session with the text in its trace or messages, and possibly others. The inspector
   * reads them and confirms each hit. Without this method every session is read.
   */
  searchRecords?(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage>;

  /**
   * An opaque string that changes whenever the list of sessions would; `undefined` if the source does not know. It must cost far less
   * than the list, whose `ETag` it becomes. Without it the `ETag` depends on the answer.
   */
  revision?(options?: ReadOptions): Promise<string | undefined>;

  /**
   * Reports facts about each underlying source (usually one): its size, its writers, unreadable parts, deleted sessions. Each session
   * counts in the figures of its tenant. Without this method sessions are counted in the list.
   */
  surveySources?(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]>;

  /**
   * For a combined source: returns the source with a key or a name; `undefined` without such a source. Without this method no session
   * belongs to a named source.
   */
  sourceNamed?(name: string): InspectorDataSource | undefined | Promise<InspectorDataSource | undefined>;

  /**
   * Maximum number of parallel calls to a store over a network, from 1, for all methods and snapshot parts together: further calls wait.
   * Up to it, parts of a session load in parallel, and a search loads sessions in advance. `Infinity` is for a store on this machine:
   * nothing waits, and a search reads one session after the other. Default is 32.
   */
  readonly concurrentReads?: number | undefined;

  /** Releases what the source opened itself. Called once, by the code that created the source; no method is called after it. */
  close?(): Promise<void>;
}

/** All members apply together. */
export interface SessionSearch {
  readonly tenantId?: string | undefined;
  /** Only sessions of these tenants, compared exactly. Sessions of other tenants are dropped from the result. */
  readonly tenants?: readonly string[] | undefined;
  /** Compared exactly. With `tenantId` it selects one session at most, so a store need not examine others. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** The status at the moment of the search: `running` depends on the clock. */
  readonly status?: SessionStatus | undefined;
  /** Part of the session's id, user or title: both in lower case, by `toLowerCase`. */
  readonly text?: string | undefined;
  /** Only sessions that match, as `matchSession` decides. A source may ignore it, because the inspector tests each session again. */
  readonly filter?: SessionFilter | undefined;
  /** True if facts by quarter hours are wanted (`facts`), for a source that can provide them. Default is false. */
  readonly withFacts?: boolean | undefined;
  /** Only sessions that were active at this instant or later, in milliseconds since the epoch; others may be included. Default is all. */
  readonly activeFrom?: number | undefined;
  /**
   * After about this many milliseconds the page contains the sessions read so far, at any position of the list; `unread` counts the
   * others. By default the source reads everything that the page needs.
   */
  readonly budgetMs?: number | undefined;
  /** Only sessions after this place in the list, even if no session is at it any more. */
  readonly after?: SessionSortKey | undefined;
  /** Default is all. */
  readonly limit?: number | undefined;
}

export interface SessionPage {
  readonly items: readonly ListedSession[];
  /** Number of sessions of the requested tenants, before the other members of the search apply. Absent if it is unknown. */
  readonly total?: number | undefined;
  /** Number of these that the source has not read yet. Absent if it is unknown. */
  readonly unread?: number | undefined;
  /** Unreadable folders, by their paths in the source, that may hide sessions. Default is an empty list. */
  readonly warnings?: readonly RecordWarning[] | undefined;
}

const METHODS = withMethods<InspectorDataSource>("InspectorDataSource", [
  "listSessions",
  "loadTraceEnvelopes",
  "loadOrchestrationEvents",
  "loadOrchestrationState",
  "loadMessages",
]);

const CONCURRENT_READS = numberOf(
  "an integer from 1 up, or Infinity",
  (value) => value >= 1 && (Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY),
);

export const DATA_SOURCE: OptionKind = (name, value) => {
  const error = METHODS(name, value);
  if (error !== undefined) return error;
  const { concurrentReads } = value as InspectorDataSource;
  return concurrentReads === undefined
    ? undefined
    : CONCURRENT_READS(`${name}.concurrentReads`, concurrentReads);
};
