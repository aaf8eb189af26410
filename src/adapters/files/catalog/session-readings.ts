import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import type { ListedSession } from "../../../domain/session/model-usage.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import type { ExtraWork } from "../bytes/reading-budget.js";
import { laneOf, mapInFlight } from "../threads/in-flight.js";
import type { CataloguedSession } from "./catalogued-session.js";
import type { FactsStrategy } from "./facts-strategy.js";
import type { ProgressReports } from "./progress-reports.js";
import { ReadingQueue } from "./reading-queue.js";

export interface ReadingStrategy<Session extends CataloguedSession> {
  /** Main file or folder: it decides the thread. */
  pathOf(session: Session): string;
  /** `null` for summaries that are not cached; `undefined` if no session has any. Default is no cache. */
  recall?(
    sessions: readonly Session[],
    lane: number,
    signal: AbortSignal,
  ): Promise<readonly Session["summary"][] | undefined>;
  /** Newest instant in the ends of each session's files; `NaN` without one. Default is that only a full reading determines it. */
  newestInTails?(sessions: readonly Session[], lane: number, signal: AbortSignal): Promise<Float64Array>;
  /**
   * `null` for a session that is gone.
   * @param ofList remaining extra work of the list
   */
  summarize(
    sessions: readonly Session[],
    lane: number,
    signal: AbortSignal,
    ofList: ExtraWork,
  ): Promise<readonly Session["summary"][]>;
  /** Default is no activity. */
  readonly facts?: FactsStrategy<Session>;
}

interface ListedSessions<Session> {
  readonly all: readonly Session[];
  readonly take: (session: Session) => void;
  readonly ofList: ExtraWork;
}

/** Bounds of one task, so that other requests have their turn. */
const READ_AT_A_TIME = { sessions: 32, bytes: 4 * 1024 * 1024 };
const REFINED_AT_A_TIME = { sessions: 64 };
const RECALLED_AT_A_TIME = { sessions: 256 };
const FACTS_AT_A_TIME = { sessions: 128 };

/** Bound for a response with a budget. No file is open for these, so bytes do not count. */
const RECALLED_FOR_ANSWERS = { sessions: 1_024, bytes: Number.POSITIVE_INFINITY };

/** Few, because each thread loads all cached values. */
const RECALLING_THREADS = 2;

/** Cached data comes first, then files. */
export class SessionReadings<Session extends CataloguedSession> {
  readonly #strategy: ReadingStrategy<Session>;
  readonly #pool: ReadingPool;
  readonly #progress: ProgressReports;
  readonly #recalledFacts = new ReadingQueue<Session>(
    needsFacts,
    // Continues between requests: none of them aborts it.
    (portion) => this.#recallFacts(portion, new AbortController().signal),
    RECALLED_FOR_ANSWERS,
  );

  constructor(strategy: ReadingStrategy<Session>, pool: ReadingPool, progress: ProgressReports) {
    this.#strategy = strategy;
    this.#pool = pool;
    this.#progress = progress;
  }

  async refine(coarse: readonly Session[], signal: AbortSignal): Promise<void> {
    await this.#inThreads(coarse, REFINED_AT_A_TIME, async (portion, lane) => {
      const newest = await this.#strategy.newestInTails?.(portion, lane, signal);
      for (const [i, one] of portion.entries()) one.refine(newest?.[i] ?? Number.NaN);
    });
  }

  /**
   * Passes on each result at once, so that an aborted search leaves its work to the next one.
   * @param all sessions of the list, for reports of progress
   * @param take called with each read session
   * @param ofList remaining extra work of the list
   */
  async read(
    unread: readonly Session[],
    { all, take, ofList }: ListedSessions<Session>,
    signal: AbortSignal,
    withFacts: boolean,
  ): Promise<void> {
    this.#progress.begin();
    await this.recall(unread, signal);
    if (withFacts) await this.#recallFacts(unread, signal);
    const uncached = unread.filter(withFacts ? (one) => !hasFacts(one) : (one) => !one.isRead);
    await this.#inThreads(uncached, READ_AT_A_TIME, async (portion, lane) => {
      if (withFacts) await this.#takeFacts(portion, lane, signal, ofList);
      else await this.#takeSummaries(portion, lane, signal, ofList);
      for (const one of portion) if (one.summary) take(one);
      this.#progress.report(() => all.filter(({ isRead }) => isRead).length, all.length);
    });
  }

  /** Opens no file. Skips sessions that this process read before: the cache does not have them. */
  async recall(sessions: readonly Session[], signal: AbortSignal): Promise<void> {
    const unasked = sessions.filter((one) => !one.isRecalled && !one.isRead && one.previous === undefined);
    let isEmpty = this.#strategy.recall === undefined;
    await mapInFlight(portionsOf(unasked, RECALLED_AT_A_TIME), RECALLING_THREADS, async (portion, i) => {
      const summaries = isEmpty
        ? undefined
        : await this.#strategy.recall?.(portion, i % RECALLING_THREADS, signal);
      isEmpty ||= summaries === undefined;
      for (const [j, one] of portion.entries()) {
        one.isRecalled = true;
        one.summary = summaries?.[j] ?? undefined;
      }
    });
  }

  /**
   * Cached facts are available for all sessions before any file is read.
   * @returns true if the cache was queried for all of them
   */
  async recallFactsFor(
    sessions: readonly Session[],
    budgetMs: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    await this.#recalledFacts.wait(sessions, budgetMs, signal);
    return sessions.every(needsFacts);
  }

  /** Only for sessions with cached summaries: for others the files are read for both. */
  async #recallFacts(sessions: readonly Session[], signal: AbortSignal): Promise<void> {
    const unasked = sessions.filter((one) => !needsFacts(one));
    let isEmpty = this.#strategy.facts === undefined;
    await mapInFlight(portionsOf(unasked, FACTS_AT_A_TIME), RECALLING_THREADS, async (portion, i) => {
      const facts = isEmpty
        ? undefined
        : await this.#strategy.facts?.recall(portion, i % RECALLING_THREADS, signal);
      isEmpty ||= facts === undefined;
      for (const [j, one] of portion.entries()) {
        one.areFactsRecalled = true;
        one.facts = facts?.[j] ?? undefined;
      }
    });
  }

  async #takeSummaries(
    portion: readonly Session[],
    lane: number,
    signal: AbortSignal,
    ofList: ExtraWork,
  ): Promise<void> {
    const summaries = await this.#strategy.summarize(portion, lane, signal, ofList);
    for (const [i, one] of portion.entries()) one.summary = summaries[i]!;
  }

  async #takeFacts(
    portion: readonly Session[],
    lane: number,
    signal: AbortSignal,
    ofList: ExtraWork,
  ): Promise<void> {
    const read = await this.#strategy.facts!.read(portion, lane, signal, ofList);
    for (const [i, one] of portion.entries()) {
      one.summary = read[i]!.summary;
      one.facts = read[i]!.facts;
    }
  }

  /**
   * A session always has the same thread, which has cached its data. A thread has one task at a time: two tasks would take turns, each
   * with its garbage, and end later.
   */
  async #inThreads(
    sessions: readonly Session[],
    most: { readonly sessions: number; readonly bytes?: number },
    work: (portion: readonly Session[], lane: number) => Promise<void>,
  ): Promise<void> {
    const { threads } = this.#pool;
    const lanes = Array.from({ length: threads }, (): Session[] => []);
    for (const one of sessions) lanes[laneOf(this.#strategy.pathOf(one)) % threads]!.push(one);
    await Promise.all(
      lanes.map(async (ofLane, lane) => {
        for (const portion of portionsOf(ofLane, most)) await work(portion, lane);
      }),
    );
  }
}

/** Also true if no source provides it. */
export function hasFacts({ isRead, isGone, facts }: CataloguedSession): boolean {
  return isRead && (isGone || facts !== undefined);
}

function needsFacts(session: CataloguedSession): boolean {
  return session.areFactsRecalled || !session.isRead || hasFacts(session);
}

export function withFactsOf({ facts }: CataloguedSession, item: InspectorSessionItem): ListedSession {
  return facts ? { ...item, facts } : item;
}

/** Portions take about the same time. */
function portionsOf<Session extends CataloguedSession>(
  all: readonly Session[],
  { sessions: most, bytes: mostBytes = Number.POSITIVE_INFINITY }: { sessions: number; bytes?: number },
): Session[][] {
  const portions: Session[][] = [];
  let bytes = mostBytes;
  for (const one of all) {
    if (bytes >= mostBytes || portions.at(-1)!.length === most) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)!.push(one);
    bytes += one.bytes;
  }
  return portions;
}
