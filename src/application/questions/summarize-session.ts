import { keyText } from "../../domain/session/session-key.js";
import type { SessionSummary } from "../../domain/summary/session-summary.js";
import { AnalysisReader } from "../analysis/analysis-reader.js";
import { SUMMARISE } from "../analysis/analysis-tasks.js";
import { CachedWhileSame } from "../cached-while-same.js";
import type { SessionRequest } from "../listing/window.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import { openSession } from "../records/open-session.js";
import { lift } from "../sources/lift.js";
import { SharedReadings } from "../threads/shared-readings.js";
import { type ListOptions, type RevisedAnswer, type UnchangedList, unchanged } from "./json-list.js";

const MOST_SUMMARIES = 16;

export class SummarizeSession {
  readonly #source: SessionSource;
  readonly #reader: AnalysisReader;
  readonly #cached = new CachedWhileSame<string, SessionSummary>({ max: MOST_SUMMARIES });
  readonly #readings = new SharedReadings<ReadSummary>();

  /** @param reader default reads on the host's own event loop, in slices, without prices */
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
    const session = await openSession(this.#source, request, options);
    const { revision } = session;
    const same = unchanged(revision, options);
    if (same !== undefined) return same;
    const name = keyText(request);
    const value = revision === undefined ? undefined : this.#cached.get(name, revision);
    if (value !== undefined) return { isUnchanged: false, revision, value };
    const read = await this.#readings.read(
      keyText(request, revision),
      (signal) => this.#openAndRead(request, name, { signal }),
      options,
    );
    return { isUnchanged: false, ...read };
  }

  async #openAndRead(request: SessionRequest, name: string, options: ReadOptions): Promise<ReadSummary> {
    const { tenantId, sessionId } = request;
    const session = await openSession(this.#source, request, options);
    const { revision } = session;
    const value = await this.#reader.read(
      [{ session, key: { tenantId, sessionId } }],
      options,
      ([analysed], thread) => thread.call(SUMMARISE, analysed!),
      () => (revision === undefined ? undefined : this.#cached.get(name, revision)),
    );
    if (revision !== undefined) this.#cached.keep(name, revision, value);
    return { revision, value };
  }
}

interface ReadSummary {
  readonly revision: string | undefined;
  readonly value: SessionSummary;
}
