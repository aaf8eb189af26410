import type { SessionSummary } from "../../domain/analysis/session-summary.js";
import { AnalysisReader } from "../explain/analysis-reader.js";
import { SUMMARISE } from "../explain/analysis-tasks.js";
import { KeptWhileSame } from "../kept-while-same.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionSource } from "../ports/session-source.js";
import type { SessionKey } from "../ports/session-store.js";
import { lift } from "../sources/lift.js";
import { openSession } from "../sources/scope.js";
import { type ListOptions, type RevisedAnswer, type UnchangedList, unchanged } from "./json-list.js";
import type { SessionRequest } from "./window.js";

/** Summaries take long and are small. */
const MOST_SUMMARIES = 16;

/** What a session's tokens, money and time went into. */
export class SummarizeSession {
  readonly #source: SessionSource;
  readonly #reader: AnalysisReader;
  /** By the revisions of their sessions. */
  readonly #kept = new KeptWhileSame<string, SessionSummary>({ max: MOST_SUMMARIES });

  /** @param reader default reads on the host's own event loop, in slices, and knows no prices */
  constructor(source: InspectorDataSource, reader = new AnalysisReader()) {
    this.#source = lift(source);
    this.#reader = reader;
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   */
  async execute(
    request: SessionRequest,
    options: ListOptions = {},
  ): Promise<RevisedAnswer<SessionSummary> | UnchangedList> {
    const { tenantId, sessionId } = request;
    const session = await openSession(this.#source, request, options);
    const { revision } = session;
    const same = unchanged(revision, options);
    if (same !== undefined) return same;
    const name = JSON.stringify([tenantId, sessionId]);
    const kept = revision === undefined ? undefined : this.#kept.get(name, revision);
    const summary = kept ?? (await this.#read(session, { tenantId, sessionId }, options));
    if (revision !== undefined) this.#kept.keep(name, revision, summary);
    return { isUnchanged: false, revision, value: summary };
  }

  async #read(session: SessionSnapshot, key: SessionKey, options: ReadOptions): Promise<SessionSummary> {
    return await this.#reader.read([{ session, key }], options, ([analysed], thread) =>
      thread.call(SUMMARISE, analysed!),
    );
  }
}
