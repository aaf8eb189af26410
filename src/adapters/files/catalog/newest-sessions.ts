import type { SessionPage, SessionSearch } from "../../../application/ports/inspector-data-source.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import { matcherOf, selectSessions } from "../../../application/sources/select-sessions.js";
import { runInSlices } from "../../../application/threads/slices.js";
import { compareText } from "../../../domain/lists/compare-text.js";
import { FirstOnes } from "../../../domain/lists/first-ones.js";
import { isPause } from "../../../domain/lists/is-pause.js";
import {
  compareSessions,
  type InspectorSessionItem,
  type SessionSortKey,
} from "../../../domain/session/session.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { sortByRuns } from "../../../domain/trace/sort-by-runs.js";

export interface EstimatedSession extends SessionKey {
  /** Last activity, in milliseconds since the epoch. Exact for a read session; otherwise, as far as possible, not too early. */
  readonly estimate: number;
  /** True if only a full reading can improve the estimate. */
  readonly isRefined: boolean;
  readonly isRead: boolean;
  /** Result of the reading. */
  readonly isGone: boolean;
}

export interface SessionReader<Session extends EstimatedSession> {
  /** Latest estimate first. */
  readonly sessions: readonly Session[];
  /** True if a session was read, with its activity if requested. */
  isReady(session: Session): boolean;
  /** Improves the estimates without a full reading. */
  refine(sessions: readonly Session[]): Promise<void>;
  read(sessions: readonly Session[]): Promise<void>;
  /** Reads in order until the budget ends. */
  readFor(sessions: readonly Session[], budgetMs: number): Promise<void>;
  describe(session: Session): InspectorSessionItem;
}

interface NewestSessions extends SessionPage {
  readonly total: number;
  readonly unread: number;
}

const READ_ON = 64;

/**
 * Sessions are read newest first by estimate, until no unread one can belong to the page. A session whose estimate was too early appears
 * after its reading: earlier pages lack it.
 */
export async function newestSessions<Session extends EstimatedSession>(
  reader: SessionReader<Session>,
  search: SessionSearch,
  signal?: AbortSignal,
): Promise<NewestSessions> {
  const all = reader.sessions.filter(tenantMatcher(search));
  const wanted = all.filter(activityMatcher(search));
  const { items, unread } =
    search.limit === undefined || search.budgetMs !== undefined
      ? await readAll(reader, wanted, search, signal)
      : await readPage(reader, wanted, search, search.limit, signal);
  return { items, unread, total: all.filter(({ isGone }) => !isGone).length };
}

export function* newestFirst<Session extends EstimatedSession>(
  sessions: readonly Session[],
): Generator<void, Session[]> {
  const estimates = Float64Array.from(sessions, ({ estimate }) => estimate);
  const order = Uint32Array.from(sessions, (_, i) => i);
  yield* sortByRuns(order, (a, b) => estimates[b]! - estimates[a]! || a - b);
  return Array.from(order, (i) => sessions[i]!);
}

/** Copies belong to the caller. */
export function copySessions(
  items: readonly InspectorSessionItem[],
  options?: ReadOptions,
): Promise<InspectorSessionItem[]> {
  return runInSlices(copySteps(items), options?.signal);
}

function* copySteps(items: readonly InspectorSessionItem[]): Generator<void, InspectorSessionItem[]> {
  const copies: InspectorSessionItem[] = [];
  for (const item of items) {
    const { usage, state } = item;
    copies.push({ ...item, ...(usage && { usage: { ...usage } }), ...(state && { state: { ...state } }) });
    if (isPause(copies.length)) yield;
  }
  return copies;
}

function tenantMatcher({ tenantId, tenants }: SessionSearch): (session: EstimatedSession) => boolean {
  const some = tenants && new Set(tenants);
  return (session) =>
    (tenantId === undefined || session.tenantId === tenantId) &&
    (some === undefined || some.has(session.tenantId));
}

/** An unread session usually contains nothing newer than its estimate. */
function activityMatcher({ activeFrom = Number.NEGATIVE_INFINITY }: SessionSearch) {
  return ({ estimate }: EstimatedSession) => estimate >= activeFrom;
}

interface ReadSessions {
  readonly items: InspectorSessionItem[];
  readonly unread: number;
}

/** With a budget, sessions that another request reads meanwhile are left out. */
async function readAll<Session extends EstimatedSession>(
  reader: SessionReader<Session>,
  wanted: readonly Session[],
  search: SessionSearch,
  signal: AbortSignal | undefined,
): Promise<ReadSessions> {
  const due = wanted.filter((one) => !reader.isReady(one));
  if (search.budgetMs === undefined) await reader.read(due);
  else await reader.readFor(due, search.budgetMs);
  const ready = wanted.filter((one) => reader.isReady(one));
  const active = ready.filter(activityMatcher(search));
  const described = await runInSlices(describeSteps(reader, active), signal);
  const items = await runInSlices(selectSessions(described, search), signal);
  return { items, unread: wanted.length - ready.length };
}

async function readPage<Session extends EstimatedSession>(
  reader: SessionReader<Session>,
  wanted: readonly Session[],
  search: SessionSearch,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<ReadSessions> {
  const items = await new NewestPage(reader, search, limit, signal).readFrom(wanted);
  return { items, unread: wanted.filter((one) => !reader.isReady(one)).length };
}

function* describeSteps<Session extends EstimatedSession>(
  reader: SessionReader<Session>,
  sessions: readonly Session[],
): Generator<void, InspectorSessionItem[]> {
  const items: InspectorSessionItem[] = [];
  for (const session of sessions) {
    if (!session.isGone) items.push(reader.describe(session));
    yield;
  }
  return items;
}

class NewestPage<Session extends EstimatedSession> {
  readonly #reader: SessionReader<Session>;
  readonly #signal: AbortSignal | undefined;
  readonly #matches: (item: InspectorSessionItem) => boolean;
  readonly #isActive: (session: EstimatedSession) => boolean;
  /** Newest possible instant after the cursor. */
  readonly #newest: number;
  readonly #page: FirstOnes<InspectorSessionItem>;

  constructor(
    reader: SessionReader<Session>,
    search: SessionSearch,
    limit: number,
    signal: AbortSignal | undefined,
  ) {
    this.#reader = reader;
    this.#signal = signal;
    this.#matches = matcherOf(search);
    this.#isActive = activityMatcher(search);
    this.#newest = inOrderOfTime(search.after) ?? Number.POSITIVE_INFINITY;
    this.#page = new FirstOnes<InspectorSessionItem>(limit, compareSessions);
  }

  async readFrom(sessions: readonly Session[]): Promise<InspectorSessionItem[]> {
    await runInSlices(this.#addSteps(sessions), this.#signal);
    const isUnread = (one: Session) => !this.#reader.isReady(one);
    let unread = sessions.filter(isUnread);
    for (let atOnce = this.#page.room || READ_ON; ; atOnce = Math.max(this.#page.room, READ_ON)) {
      const due = await this.#refined(unread, atOnce);
      if (due.length === 0) return this.#page.items;
      await this.#reader.read(due);
      await runInSlices(this.#addSteps(due), this.#signal);
      unread = unread.filter(isUnread);
    }
  }

  /** First candidates for the page, with refined estimates. */
  async #refined(unread: readonly Session[], atOnce: number): Promise<Session[]> {
    for (;;) {
      const refined = await this.#due(unread, atOnce, true, this.#last);
      const isFull = refined.length === atOnce;
      // In a copied folder all other estimates may be too late: then they are refined together.
      const coarse = isFull
        ? await this.#due(unread, unread.length, false, refined.at(-1))
        : await this.#due(unread, atOnce, false, this.#last);
      if (coarse.length === 0) return refined;
      await this.#reader.refine(coarse);
    }
  }

  /** Describes only candidates for the page: few of many cached sessions. */
  *#addSteps(sessions: readonly Session[]): Generator<void, void> {
    let oldest = this.#oldest;
    for (const session of sessions) {
      const { isGone, estimate } = session;
      const isReady = this.#reader.isReady(session);
      const isBehind = estimate <= this.#newest || estimate >= YEAR_10000;
      if (isReady && !isGone && isBehind && estimate >= oldest && this.#isActive(session)) {
        const item = this.#reader.describe(session);
        if (this.#matches(item)) {
          this.#page.add(item);
          oldest = this.#oldest;
        }
      }
      yield;
    }
  }

  #due(
    unread: readonly Session[],
    limit: number,
    isRefined: boolean,
    last: EstimatedPlace | undefined,
  ): Promise<Session[]> {
    return runInSlices(dueSteps(unread, limit, isRefined, last), this.#signal);
  }

  /** Oldest instant that still fits. */
  get #oldest(): number {
    return this.#last?.estimate ?? Number.NEGATIVE_INFINITY;
  }

  /** A session must come before this place to fit; `undefined` without a limit. */
  get #last(): EstimatedPlace | undefined {
    const item = this.#page.room > 0 ? undefined : this.#page.items.at(-1);
    const estimate = inOrderOfTime(item);
    return item === undefined || estimate === undefined
      ? undefined
      : { estimate, tenantId: item.tenantId, sessionId: item.sessionId };
  }
}

type EstimatedPlace = Pick<EstimatedSession, "estimate" | "tenantId" | "sessionId">;

/** Same order as the list, so that ties at one instant read the first sessions. */
function comparePlaces(a: EstimatedPlace, b: EstimatedPlace): number {
  return (
    b.estimate - a.estimate || compareText(a.tenantId, b.tenantId) || compareText(a.sessionId, b.sessionId)
  );
}

function* dueSteps<Session extends EstimatedSession>(
  unread: readonly Session[],
  limit: number,
  isRefined: boolean,
  last: EstimatedPlace | undefined,
): Generator<void, Session[]> {
  const due = new FirstOnes<Session>(limit, comparePlaces);
  for (const [i, session] of unread.entries()) {
    // The estimate of a read session is exact.
    const isRight = session.isRefined || session.isRead;
    if (isRight === isRefined && (last === undefined || comparePlaces(session, last) < 0)) due.add(session);
    if (isPause(i)) yield;
  }
  return due.items;
}

/** From this year on, and before the year 0, the text order of instants differs from their order in time. */
const YEAR_10000 = Date.UTC(10_000, 0);

/** `undefined` if text order and time order differ. */
function inOrderOfTime(place: SessionSortKey | undefined): number | undefined {
  return place !== undefined && /^\d/.test(place.lastActive) ? instantOf(place.lastActive) : undefined;
}
