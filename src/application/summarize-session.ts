import type { SessionSummary } from "../domain/analysis/session-summary.js";
import { SUMMARISE } from "./analysis-tasks.js";
import { CallPricing } from "./call-pricing.js";
import { InProcessPool } from "./in-process-pool.js";
import { type ListOptions, type UnchangedList, unchanged } from "./json-list.js";
import { KeptAnswers } from "./kept-answers.js";
import { openSession, type SessionRequest } from "./open-session.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import type { ReadingPool } from "./ports/reading-pool.js";
import type { ReadOptions } from "./ports/record-stream.js";
import type { SessionSnapshot } from "./ports/session-snapshot.js";
import type { SessionKey } from "./ports/session-store.js";
import { withAnalyses } from "./read-analysis.js";
import { scopeToTenants } from "./scope-to-tenants.js";
import { TraceOrders } from "./trace-orders.js";

export interface SummaryAnswer {
  readonly isUnchanged: false;
  readonly revision: string | undefined;
  readonly summary: SessionSummary;
}

/** What a session's tokens, money and time went into. */
export class SummarizeSession {
  readonly #source: InspectorDataSource;
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #pricing: CallPricing;
  readonly #kept = new KeptAnswers<SessionSummary>();

  /**
   * @param pool where records are parsed and counted. Default is the host's own event loop, in slices
   * @param pricing default is none: then nothing has a price but what is recorded
   */
  constructor(
    source: InspectorDataSource,
    pool: ReadingPool = new InProcessPool(),
    {
      orders = new TraceOrders(pool),
      pricing = new CallPricing(undefined, pool),
    }: { orders?: TraceOrders; pricing?: CallPricing } = {},
  ) {
    this.#source = source;
    this.#pool = pool;
    this.#orders = orders;
    this.#pricing = pricing;
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   */
  async execute(request: SessionRequest, options: ListOptions = {}): Promise<SummaryAnswer | UnchangedList> {
    const { tenantId, sessionId, tenants = "all" } = request;
    const session = await openSession(scopeToTenants(this.#source, tenants), request, options);
    const { revision } = session;
    const same = unchanged(revision, options);
    if (same !== undefined) return same;
    const name = JSON.stringify([tenantId, sessionId]);
    const summary =
      this.#kept.find(name, revision) ?? (await this.#read(session, { tenantId, sessionId }, options));
    this.#kept.keep(name, revision, summary);
    return { isUnchanged: false, revision, summary };
  }

  async #read(session: SessionSnapshot, key: SessionKey, options: ReadOptions): Promise<SessionSummary> {
    const reader = { pool: this.#pool, orders: this.#orders, pricing: this.#pricing, options };
    return await withAnalyses([{ session, key }], reader, async ([analysis], run) => {
      const { id, rates } = analysis!;
      return await run(SUMMARISE, { id, key, rates });
    });
  }
}
