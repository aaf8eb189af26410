import type { SessionPage, SessionSearch } from "./inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "./record-search.js";
import type { ReadOptions } from "./record-stream.js";
import type { SessionSnapshot } from "./session-snapshot.js";
import type { SourceSurvey, SurveyRequest } from "./source-survey.js";

/**
 * The source of histories for all internal code: `lift` converts any `InspectorDataSource` to it, and the sources of this package
 * implement it. Nothing is optional: a missing capability is a value.
 *
 * - **Trust.** Values of a lifted source are checked. It rejects with `SourceContractError` if the underlying source breaks its contract;
 *   a stream of its snapshots fails with it if its number of records differs from the request.
 * - **Ownership.** A returned value belongs to the caller.
 * - **Errors, time, ids and concurrency** are those of `InspectorDataSource`. Nothing throws synchronously.
 */
export interface SessionSource {
  readonly capabilities: SourceCapabilities;

  /**
   * Opens one session in its present state; `undefined` for an unknown session. A source that cannot distinguish an unknown session from
   * an empty one opens an empty one, without a revision.
   */
  openSession(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<SessionSnapshot | undefined>;

  /** The sessions that match: newest `lastActive` first, then by `tenantId`, then by `sessionId`. */
  findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage>;

  /** Returns sessions that may contain a text: every session with the text, and possibly others. */
  findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage>;

  /** Changes whenever the list of sessions would; `undefined` where the source does not know. */
  revision(options?: ReadOptions): Promise<string | undefined>;

  survey(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]>;
}

export interface SourceCapabilities {
  /**
   * True if `findCandidates` searches the records. Otherwise each call creates the complete list, and every session is a candidate: then
   * request all at once.
   */
  readonly searchesRecords: boolean;
  readonly knowsRevision: boolean;
  /** True if `survey` reports more than the list of sessions. */
  readonly surveys: boolean;
  /** `Infinity` for a source on this machine, where parallel calls are not faster. */
  readonly concurrentReads: number;
}

/** True for a source on this machine. */
export function isLocal({ capabilities }: Pick<SessionSource, "capabilities">): boolean {
  return capabilities.concurrentReads === Number.POSITIVE_INFINITY;
}
