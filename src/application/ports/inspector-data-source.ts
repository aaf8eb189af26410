import type { Message } from "../../domain/conversation/message.js";
import type { SessionFilter } from "../../domain/filter/session-filter.js";
import type { OptionKind } from "../../domain/options/check-options.js";
import { numberOf, withMethods } from "../../domain/options/option-kinds.js";
import type { SessionSortKey, SessionStatus } from "../../domain/session/session.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { ListedSession } from "../../domain/usage/model-usage.js";
import type { RecordSearch, RecordSearchPage } from "./record-search.js";
import type { ReadOptions, RecordWarning } from "./record-stream.js";
import type { OrchestrationState, SessionSnapshot } from "./session-snapshot.js";
import type { SourceSurvey, SurveyRequest } from "./source-survey.js";

/**
 * Where the inspector reads histories from. Five methods are all that a source needs; with the optional members it
 * distinguishes an unknown session from an empty one, answers sooner, and holds less in memory.
 *
 * - **Absence.** An unknown session is no error: its lists are empty and its state is `null`. Only `openSession`
 *   distinguishes an unknown session from an empty one.
 * - **Order.** Lists come in the order in which they were stored. The inspector sorts, merges, filters and pages.
 * - **Ownership.** What a method returns belongs to the caller; changing it does not change the source.
 * - **Unknown records.** What the source does not understand it returns as it is. What it cannot read at all it leaves out
 *   and, in a snapshot, reports as a warning.
 * - **Errors.** A method rejects with `SourceUnavailableError` where the store cannot be reached just now (503), and with
 *   anything else where something is broken (500, with a detail that does not contain the cause). Throwing in sync is the same.
 *   What it gives is checked: a list that is no array, a session without a `sessionId`, or a stream of another size than it said, is 500
 *   too, or breaks the answer off.
 * - **Members of a session.** Of the seven that every session has (`tenantId`, `sessionId`, `userId`, `lastActive`, `turns`, `tokens`, `status`),
 *   all but the `sessionId` may be left out: the inspector then answers `"default"`, `""`, the instant of `createdAt` or of the newest model call
 *   (else 1970), 0, the sum of `usage` or of `usageByModel` (else 0), and `idle`. A `lastActive` may be a `Date`, milliseconds or any ISO 8601.
 * - **Time.** What takes longer than the inspector's `timeoutMs` is 503; the signal is aborted then. What a source does by itself, a
 *   timer or a listener of the signal, runs in the host: what it throws there is the source's to catch.
 * - **Ids** come checked: not empty, no path separator, not `.` or `..`, no control character.
 * - **Concurrency.** Methods are called at the same time, also for the same session, `concurrentReads` of them at most. Two calls may
 *   share a signal.
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
  listSessions(options?: ReadOptions): Promise<ListedSession[]>;

  /** The runtime envelopes of all traces of a session, as stored. */
  loadTraceEnvelopes(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<WorkflowTraceEventEnvelope[]>;

  /** The orchestration events of a session, as stored. */
  loadOrchestrationEvents(tenantId: string, sessionId: string, options?: ReadOptions): Promise<unknown[]>;

  /** The state after all orchestration events; `null` when there is none. It lists events that could not be read. */
  loadOrchestrationState(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<OrchestrationState | null>;

  /** The messages of a session's conversation, as stored. */
  loadMessages(tenantId: string, sessionId: string, options?: ReadOptions): Promise<Message[]>;

  /**
   * One session as it is at this moment, in bounded memory; `undefined` where there is none. Without it an unknown session is
   * an empty one, nothing is ever 404 or 304, and lists are loaded whole.
   */
  openSession?(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<SessionSnapshot | undefined>;

  /**
   * The sessions that match, in the order of the list: newest `lastActive` first, then by `tenantId`, then by `sessionId`,
   * texts compared by UTF-16 code units. For a store that can search by itself; it answers exactly what the inspector would
   * make of `listSessions`. Without it every session is loaded for every page. A source that finds out about a session only when it
   * reads it may place it too late in pages that it makes before: once it has been read, every page has it in its place.
   */
  findSessions?(search: SessionSearch, options?: ReadOptions): Promise<SessionPage>;

  /**
   * Which sessions may hold a text: every session in whose trace or messages it stands, and perhaps some in which it does not: the
   * inspector reads those that are named, and confirms each hit. For a store that can tell faster than by giving all its records.
   * Without it every session is read.
   */
  searchRecords?(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage>;

  /**
   * An opaque string that changes whenever the list of sessions would. It becomes the `ETag` of the list, and must cost far
   * less than the list; `undefined` where the source does not know. Without it an `ETag` is made of what is answered.
   */
  revision?(options?: ReadOptions): Promise<string | undefined>;

  /**
   * What each source that it is made of (of most that is one) knows of its histories: how much there is, who wrote it, what could not be
   * read, what is gone. It counts each session in the figures of its tenant. Without it sessions are counted in the list.
   */
  surveySources?(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]>;

  /**
   * For a source that is made of several: one that holds the sessions of one of them only, by its key or its name; `undefined`
   * where there is none. Without it no session is of any named source.
   */
  sourceNamed?(name: string): InspectorDataSource | undefined | Promise<InspectorDataSource | undefined>;

  /**
   * How many calls a store over a network is asked with at a time, of all methods and of the parts of snapshots together: others wait. A
   * session's parts are then loaded side by side, and a search loads sessions before it comes to them, as many as that allows. From 1 up.
   * `Infinity` is for a store on this machine: nothing waits, and a search reads one session after the other. Default is 32.
   */
  readonly concurrentReads?: number | undefined;

  /** Releases what the source opened itself. Called once, by the code that created the source; no method is called after it. */
  close?(): Promise<void>;
}

/** Which sessions are wanted. What is given narrows the list together. */
export interface SessionSearch {
  readonly tenantId?: string | undefined;
  /** Only sessions of one of these tenants, compared exactly. What a source gives of others is not shown. */
  readonly tenants?: readonly string[] | undefined;
  /** Only the session of that id, exactly. With `tenantId` that is one at most: a store need not look at any other. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** The status at the moment of the search: `running` depends on the clock. */
  readonly status?: SessionStatus | undefined;
  /** Part of the session's id, user or title: both in small letters, as `toLowerCase` makes them. */
  readonly text?: string | undefined;
  /**
   * Only sessions that it means, as `matchSession` says. A source need not look at it: the inspector asks each session again. One that
   * can leave out sessions of which it is sure saves their transport.
   */
  readonly filter?: SessionFilter | undefined;
  /** Whether what sessions did is wanted (`facts`), where the source can tell. Default is that it is not. */
  readonly withFacts?: boolean | undefined;
  /** Only sessions that were active at or behind this instant, in milliseconds since the epoch: others may come, too. Default is all. */
  readonly activeFrom?: number | undefined;
  /**
   * After about so many milliseconds of reading, the page holds what is read, wherever it lies in the list; `unread` says how many
   * sessions are missing. Default is that all that the page needs is read.
   */
  readonly budgetMs?: number | undefined;
  /** Only sessions that come after this place in the list; there need not be one at it any more. */
  readonly after?: SessionSortKey | undefined;
  /** How many sessions at most. Default is all. */
  readonly limit?: number | undefined;
}

/** What `findSessions` returns. */
export interface SessionPage {
  readonly items: readonly ListedSession[];
  /** How many sessions the tenants that were asked for have, whatever the other members of the search. Absent where it is not known. */
  readonly total?: number | undefined;
  /** How many of these the source has not read yet. Absent where it does not know. */
  readonly unread?: number | undefined;
  /** What could not be read, so that sessions may be missing: folders, by their paths in the source. Default is none. */
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

/** An option that is a data source. */
export const DATA_SOURCE: OptionKind = (name, value) => {
  const error = METHODS(name, value);
  if (error !== undefined) return error;
  const { concurrentReads } = value as InspectorDataSource;
  return concurrentReads === undefined
    ? undefined
    : CONCURRENT_READS(`${name}.concurrentReads`, concurrentReads);
};
