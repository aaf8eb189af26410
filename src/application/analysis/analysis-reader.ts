import pLimit from "p-limit";
import type { SessionFacts } from "../../domain/facts/session-facts.js";
import { plainBatch, type RecordBatch } from "../../domain/json/record-batch.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { SourceUnavailableError } from "../errors.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { CallPricing } from "../pricing/call-pricing.js";
import { BEGINNING, envelopeBatches } from "../records/session-records.js";
import { TraceOrders } from "../records/trace-orders.js";
import { InProcessPool } from "../threads/in-process-pool.js";
import { yieldToEventLoop } from "../threads/slices.js";
import { ThreadSession } from "../threads/thread-session.js";
import {
  ADD_OUTLINE,
  ADD_RECORDS,
  type AnalysedSession,
  type AnalysedTrace,
  BEGIN_ANALYSIS,
  BEGIN_COMPARED,
  READ_FACTS,
  READ_STEPS,
} from "./analysis-tasks.js";

export interface AnalysisParts {
  readonly orders?: TraceOrders | undefined;
  /** By default only recorded costs count. */
  readonly pricing?: CallPricing | undefined;
}

export interface OpenedSession {
  readonly session: SessionSnapshot;
  readonly key: SessionKey;
  readonly findFolder?: () => Promise<string>;
}

/** Two answers: one reads while another counts. A waiting answer holds nothing. */
const AT_ONCE = 2;

const MOST_WAITING = 200;

export class AnalysisReader {
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #pricing: CallPricing;
  readonly #limit = pLimit(AT_ONCE);

  /** @param pool default is the host's own event loop, in slices */
  constructor(pool: ReadingPool = new InProcessPool(), { orders, pricing }: AnalysisParts = {}) {
    this.#pool = pool;
    this.#orders = orders ?? new TraceOrders(pool);
    this.#pricing = pricing ?? new CallPricing();
  }

  /**
   * Waits for its turn.
   * @param cachedAnswer returns a cached answer at its turn, which avoids the reading
   * @returns the answer of `ask`, which may run tasks in the thread of the sessions
   * @throws SourceUnavailableError if too many answers are waiting
   */
  async read<Answer>(
    sessions: readonly OpenedSession[],
    options: ReadOptions,
    ask: (analysed: readonly AnalysedSession[], thread: ThreadSession) => Promise<Answer>,
    cachedAnswer: () => Answer | undefined = () => undefined,
  ): Promise<Answer> {
    if (this.#limit.pendingCount >= MOST_WAITING)
      throw new SourceUnavailableError("Too many sessions are being added up. Ask again later.");
    return await this.#limit(async () => {
      options.signal?.throwIfAborted();
      return cachedAnswer() ?? (await this.#readNow(sessions, options, ask));
    });
  }

  async readFacts({ session, key }: OpenedSession, options: ReadOptions = {}): Promise<SessionFacts> {
    return await this.#limit(async () => {
      options.signal?.throwIfAborted();
      const thread = new ThreadSession(this.#pool, options);
      try {
        if (session.analyse === undefined) await this.#readTrace({ session, key }, 0, thread, options);
        else await this.#analyse(session.analyse, thread);
        return await thread.call(READ_FACTS, 0);
      } finally {
        await thread.close();
      }
    });
  }

  async #readNow<Answer>(
    sessions: readonly OpenedSession[],
    options: ReadOptions,
    ask: (analysed: readonly AnalysedSession[], thread: ThreadSession) => Promise<Answer>,
  ): Promise<Answer> {
    const [opened] = sessions;
    // For several sessions a second thread reads, which is faster.
    for (const { session } of sessions) session.begin?.(["trace", "orchestration", "messages"]);
    const analyse = sessions.length === 1 ? opened?.session.analyse : undefined;
    const first = analyse === undefined ? opened?.session.trace() : undefined;
    first?.catch(() => undefined); // Thrown where it is needed.
    await yieldToEventLoop();
    const thread = new ThreadSession(this.#pool, options);
    this.#pricing.prepare();
    try {
      const analysed = await Promise.all(
        sessions.map(async (opened, of): Promise<AnalysedSession> => {
          const { calls } = await (analyse === undefined
            ? this.#readSession(opened, of, thread, options)
            : this.#analyse(analyse, thread).then(() => thread.call(READ_STEPS, 0)));
          return { of, key: opened.key, rates: await this.#pricing.ratesOf(calls, options) };
        }),
      );
      return await ask(analysed, thread);
    } finally {
      await thread.close();
    }
  }

  async #analyse(analyse: NonNullable<SessionSnapshot["analyse"]>, thread: ThreadSession): Promise<void> {
    await thread.call(BEGIN_ANALYSIS, 0);
    await analyse(thread);
  }

  async #readSession(
    opened: OpenedSession,
    of: number,
    thread: ThreadSession,
    options: ReadOptions,
  ): Promise<AnalysedTrace> {
    const { session, findFolder } = opened;
    if (findFolder !== undefined) await thread.call(BEGIN_COMPARED, { of, directory: await findFolder() });
    await this.#readTrace(opened, of, thread, options);
    const read = await thread.call(READ_STEPS, of);
    for (const agentId of new Set(["", ...read.agentIds])) {
      const messages = await session.messages(agentId === "" ? undefined : agentId);
      const { outline } = messages;
      if (outline !== undefined) await thread.call(ADD_OUTLINE, { of, agentId, outline });
      const added = new AddedBatches(thread, of, agentId);
      for await (const batch of messages.read({ from: 0, to: messages.size }, options))
        await added.add(batch);
      await added.done();
    }
    return read;
  }

  async #readTrace(
    { session, key }: OpenedSession,
    of: number,
    thread: ThreadSession,
    { signal }: ReadOptions,
  ): Promise<void> {
    const trace = await session.trace();
    const added = new AddedBatches(thread, of, undefined);
    for await (const { batch } of envelopeBatches(session, trace, this.#orders, key, BEGINNING, { signal })) {
      await added.add(batch);
    }
    await added.done();
  }
}

class AddedBatches {
  readonly #thread: ThreadSession;
  readonly #of: number;
  readonly #agentId: string | undefined;
  #counted: Promise<void> = Promise.resolve();

  constructor(thread: ThreadSession, of: number, agentId: string | undefined) {
    this.#thread = thread;
    this.#of = of;
    this.#agentId = agentId;
  }

  async add(batch: RecordBatch): Promise<void> {
    await this.#counted;
    const plain = plainBatch(batch);
    const moved = [plain.text, plain.starts, plain.ends].map(({ buffer }) => buffer as ArrayBuffer);
    this.#counted = this.#thread.call(ADD_RECORDS, { of: this.#of, agentId: this.#agentId, ...plain }, moved);
    this.#counted.catch(() => undefined); // Thrown where it is awaited.
  }

  async done(): Promise<void> {
    await this.#counted;
  }
}
