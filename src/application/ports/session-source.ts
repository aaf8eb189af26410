import type { SessionPage, SessionSearch } from "./inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "./record-search.js";
import type { ReadOptions } from "./record-stream.js";
import type { SessionSnapshot } from "./session-snapshot.js";
import type { SourceSurvey, SurveyRequest } from "./source-survey.js";

/**
 * Where everything inside reads histories from: what `lift` makes of any `InspectorDataSource`, and what the sources of this package
 * implement. Nothing is optional: what a source cannot do is a value.
 *
 * - **Trust.** What a lifted source gives has been checked. It rejects with `SourceContractError` where the source behind it breaks its
 *   contract; a stream of its snapshots fails with it where it holds more or fewer records than it was asked for.
 * - **Ownership.** What a method returns belongs to the caller.
 * - **Errors, time, ids and concurrency** are those of `InspectorDataSource`. Nothing throws in sync.
 */
export interface SessionSource {
  readonly capabilities: SourceCapabilities;

  /**
   * One session as it is at this moment; `undefined` where there is none. A source that cannot tell an unknown session from an empty
   * one opens an empty one, without a revision.
   */
  openSession(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<SessionSnapshot | undefined>;

  /** The sessions that match: newest `lastActive` first, then by `tenantId`, then by `sessionId`. */
  findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage>;

  /** Which sessions may hold a text: every session that holds it, and perhaps others. */
  findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage>;

  /** Changes whenever the list of sessions would; `undefined` where the source does not know. */
  revision(options?: ReadOptions): Promise<string | undefined>;

  /** What each source that it is made of knows of its histories; of most that is one. */
  survey(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]>;
}

/** What a source can do. */
export interface SourceCapabilities {
  /**
   * Whether `findCandidates` looks into the records. Where it does not, each call makes the whole list, and every session of it is a
   * candidate: then it is best asked for all of them at once.
   */
  readonly searchesRecords: boolean;
  /** Whether `revision` may give one. */
  readonly knowsRevision: boolean;
  /** Whether `survey` tells more than the list of sessions does. */
  readonly surveys: boolean;
  /** How many calls it takes at a time; `Infinity` where it reads on this machine, so that asking for more at once makes nothing sooner. */
  readonly concurrentReads: number;
}
