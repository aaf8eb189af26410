import type { SessionSummary } from "../domain/analysis/session-summary.js";
import type { RatesOf } from "../domain/money.js";
import type { RecordBatch } from "../domain/record-batch.js";
import { ADD_RECORDS, BEGIN_ANALYSIS, DROP_ANALYSIS, READ_STEPS, SUMMARISE } from "./analysis-tasks.js";
import { InProcessPool } from "./in-process-pool.js";
import { type ListOptions, type UnchangedList, unchanged } from "./json-list.js";
import { openSession, type SessionRequest } from "./open-session.js";
import type { InspectorDataSource } from "./ports/inspector-data-source.js";
import type { PriceTable } from "./ports/price-table.js";
import type { ReadingPool } from "./ports/reading-pool.js";
import type { ReadOptions } from "./ports/record-stream.js";
import type { SessionSnapshot } from "./ports/session-snapshot.js";
import { scopeToTenants } from "./scope-to-tenants.js";
import { BEGINNING, envelopeBatches } from "./search-session.js";
import { yieldToEventLoop } from "./slices.js";
import { TraceOrders } from "./trace-orders.js";

export interface SummaryAnswer {
  readonly isUnchanged: false;
  readonly revision: string | undefined;
  readonly summary: SessionSummary;
}

/** How many analyses were begun, in whichever thread: their ids. */
let analyses = 0;

/** So many summaries are kept, of the sessions that were asked for last. */
const MOST_KEPT = 16;

/** What a session's tokens, money and time went into. */
export class SummarizeSession {
  readonly #source: InspectorDataSource;
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #prices: PriceTable | undefined;
  readonly #kept = new Map<string, { readonly revision: string; readonly summary: SessionSummary }>();

  /**
   * @param pool where records are parsed and counted. Default is the host's own event loop, in slices
   * @param prices default is none: then nothing has a price but what is recorded
   */
  constructor(
    source: InspectorDataSource,
    pool: ReadingPool = new InProcessPool(),
    {
      orders = new TraceOrders(pool),
      prices,
    }: { orders?: TraceOrders; prices?: PriceTable | undefined } = {},
  ) {
    this.#source = source;
    this.#pool = pool;
    this.#orders = orders;
    this.#prices = prices;
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
    const kept = this.#kept.get(name);
    if (kept !== undefined && kept.revision === revision) {
      this.#keep(name, kept);
      return { isUnchanged: false, ...kept };
    }
    const summary = await this.#read(session, { tenantId, sessionId }, options);
    if (revision !== undefined) this.#keep(name, { revision, summary });
    return { isUnchanged: false, revision, summary };
  }

  async #read(
    session: SessionSnapshot,
    key: { readonly tenantId: string; readonly sessionId: string },
    options: ReadOptions,
  ): Promise<SessionSummary> {
    const id = String(analyses++);
    const tracing = session.trace();
    // Another thread than the one that reads the trace, where there is one.
    await yieldToEventLoop();
    const run = { ...options, lane: this.#pool.quietLane?.() ?? 0 };
    const [trace] = await Promise.all([tracing, this.#pool.run(BEGIN_ANALYSIS, id, run)]);
    // A batch is counted while the next one is read.
    let counted: Promise<void> = Promise.resolve();
    const add = async (batch: RecordBatch, agentId?: string) => {
      await counted;
      counted = this.#pool.run(ADD_RECORDS, { id, agentId, ...copyOf(batch) }, run);
      counted.catch(() => {}); // it is thrown where it is awaited
    };
    try {
      for await (const { batch } of envelopeBatches(session, trace, this.#orders, key, BEGINNING, options)) {
        await add(batch);
      }
      await counted;
      const { agentIds, calls } = await this.#pool.run(READ_STEPS, id, run);
      for (const agentId of agentIds) {
        const messages = await session.messages(agentId === "" ? undefined : agentId);
        for await (const batch of messages.read({ from: 0, to: messages.size }, options))
          await add(batch, agentId);
      }
      await counted;
      const ratesOf: RatesOf = (await this.#prices?.load()) ?? (() => undefined);
      const rates = calls.map((call) => call && ratesOf(call));
      return await this.#pool.run(SUMMARISE, { id, key, rates }, run);
    } finally {
      await this.#pool.run(DROP_ANALYSIS, id, { lane: run.lane });
    }
  }

  /** The newest one is the last one. */
  #keep(name: string, summary: { readonly revision: string; readonly summary: SessionSummary }): void {
    this.#kept.delete(name);
    this.#kept.set(name, summary);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Plain data: the batch itself may be read only until the next one is asked for. */
function copyOf(batch: RecordBatch) {
  const starts = Float64Array.from({ length: batch.size }, (_, i) => batch.start(i));
  const ends = Float64Array.from({ length: batch.size }, (_, i) => batch.end(i));
  return { text: batch.text.slice(), starts, ends };
}
