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
import { SharedReadings } from "../threads/shared-readings.js";
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
  /** Of sessions that have no revision. */
  readonly #readings = new SharedReadings<SessionSummary>();

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
    const known = () => (revision === undefined ? undefined : this.#kept.get(name, revision));
    const key = { tenantId, sessionId };
    const value =
      known() ??
      (revision === undefined
        ? await this.#readings.read(name, (signal) => this.#openAndRead(request, { signal }), options)
        : await this.#read(session, key, options, known));
    if (revision !== undefined) this.#kept.keep(name, revision, value);
    return { isUnchanged: false, revision, value };
  }

  async #openAndRead(request: SessionRequest, options: ReadOptions): Promise<SessionSummary> {
    const { tenantId, sessionId } = request;
    return await this.#read(
      await openSession(this.#source, request, options),
      { tenantId, sessionId },
      options,
    );
  }

  async #read(
    session: SessionSnapshot,
    key: SessionKey,
    options: ReadOptions,
    known?: () => SessionSummary | undefined,
  ): Promise<SessionSummary> {
    return await this.#reader.read(
      [{ session, key }],
      options,
      ([analysed], thread) => thread.call(SUMMARISE, analysed!),
      known,
    );
  }
}
