import { plainBatch, type RecordBatch } from "../../domain/json/record-batch.js";
import type { CallRates } from "../../domain/usage/call-prices.js";
import type { ReadingPool, ReadingTask, RunOptions } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionKey } from "../ports/session-store.js";
import { BEGINNING, envelopeBatches } from "../search/search-session.js";
import { InProcessPool } from "../threads/in-process-pool.js";
import { yieldToEventLoop } from "../threads/slices.js";
import {
  ADD_RECORDS,
  type AnalysedTrace,
  BEGIN_ANALYSIS,
  DROP_ANALYSIS,
  READ_STEPS,
} from "./analysis-tasks.js";
import { CallPricing } from "./call-pricing.js";
import { TraceOrders } from "./trace-orders.js";

export interface AnalysisParts {
  /** The orders that are known already. Default is none. */
  readonly orders?: TraceOrders | undefined;
  /** What calls cost. Default is that nobody knows: then nothing has a price but what is recorded. */
  readonly pricing?: CallPricing | undefined;
}

export interface OpenedSession {
  readonly session: SessionSnapshot;
  readonly key: SessionKey;
}

/** A session whose records are known to the thread that was asked, under its id. */
export interface Analysis {
  readonly id: string;
  /** Of its model calls. */
  readonly rates: CallRates;
}

/** Runs a task where the analyses are. */
type RunThere = <Input, Output>(task: ReadingTask<Input, Output>, input: Input) => Promise<Output>;

/** How many analyses were begun, in whichever thread: their ids. */
let begun = 0;

/** Reads sessions into one thread of a pool, asks something of them there, and has the thread forget them. */
export class AnalysisReader {
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #pricing: CallPricing;

  /** @param pool where records are parsed and counted. Default is the host's own event loop, in slices */
  constructor(pool: ReadingPool = new InProcessPool(), { orders, pricing }: AnalysisParts = {}) {
    this.#pool = pool;
    this.#orders = orders ?? new TraceOrders(pool);
    this.#pricing = pricing ?? new CallPricing();
  }

  /** @returns what `ask` answers, which may run tasks where the analyses are */
  async read<Answer>(
    sessions: readonly OpenedSession[],
    options: ReadOptions,
    ask: (analyses: readonly Analysis[], run: RunThere) => Promise<Answer>,
  ): Promise<Answer> {
    const first = sessions[0]?.session.trace();
    first?.catch(() => undefined); // it is asked for again where it is needed
    // Another thread than the one that reads the trace, where there is one.
    await yieldToEventLoop();
    const there = { ...options, lane: this.#pool.quietLane?.() ?? 0 };
    this.#pricing.prepare();
    const ids = sessions.map(() => String(begun++));
    try {
      // All at once: what reads and what counts wait for each other less.
      const analyses = await Promise.all(
        sessions.map(async (opened, i): Promise<Analysis> => {
          const id = ids[i]!;
          const { calls } = await this.#readSession(opened, id, there);
          return { id, rates: await this.#pricing.ratesOf(calls, options) };
        }),
      );
      return await ask(analyses, (task, input) => this.#pool.run(task, input, there));
    } finally {
      for (const id of ids) await this.#pool.run(DROP_ANALYSIS, id, { lane: there.lane });
    }
  }

  /** A batch is counted while the next one is read. */
  async #readSession({ session, key }: OpenedSession, id: string, there: RunOptions): Promise<AnalysedTrace> {
    const pool = this.#pool;
    const options = { signal: there.signal };
    await pool.run(BEGIN_ANALYSIS, id, there);
    let counted: Promise<void> = Promise.resolve();
    const add = async (batch: RecordBatch, agentId?: string) => {
      await counted;
      const plain = plainBatch(batch);
      const moved = [plain.text, plain.starts, plain.ends].map(({ buffer }) => buffer as ArrayBuffer);
      counted = pool.run(ADD_RECORDS, { id, agentId, ...plain }, { ...there, moved });
      counted.catch(() => undefined); // it is thrown where it is awaited
    };
    const trace = await session.trace();
    for await (const { batch } of envelopeBatches(session, trace, this.#orders, key, BEGINNING, options)) {
      await add(batch);
    }
    await counted;
    const read = await pool.run(READ_STEPS, id, there);
    for (const agentId of new Set(["", ...read.agentIds])) {
      const messages = await session.messages(agentId === "" ? undefined : agentId);
      for await (const batch of messages.read({ from: 0, to: messages.size }, options))
        await add(batch, agentId);
    }
    await counted;
    return read;
  }
}
