import type { InspectorSessionItem } from "../../domain/session/session.js";
import { sessionItem } from "../../domain/session/session-log.js";
import { instantOf } from "../../domain/trace/instant.js";
import { MODIFIED_AT, NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import type {
  CatalogSummary,
  CataloguedLocation,
  CataloguedSession,
  LocatedSession,
} from "../files/catalog/catalogued-session.js";
import type { CatalogStrategy, SessionDescriber } from "../files/catalog/folder-catalog.js";
import type { SearchedSession } from "../files/search/search-order.js";
import { SPAN_TASKS } from "./reading-tasks.js";
import type { SpanSessions } from "./span-index.js";
import type { SummedSession } from "./span-reader.js";
import type { SpanThread } from "./span-thread.js";

interface SpanSummary extends CatalogSummary, SummedSession {}

export type SpanSession = CataloguedSession<CataloguedLocation, SpanSummary>;

/** The times of its spans describe an unread session. */
export class OtlpStrategy implements CatalogStrategy<SpanSession> {
  readonly #thread: SpanThread;
  readonly #now: () => number;

  constructor(thread: SpanThread, now: () => number) {
    this.#thread = thread;
    this.#now = now;
  }

  async discover(signal: AbortSignal) {
    const sessions = await this.#thread.look({ signal });
    const { version, warnings } = sessions;
    return { located: locatedIn(sessions), warnings, version };
  }

  async find(tenantId: string, sessionId: string, signal: AbortSignal) {
    await this.#thread.look({ signal });
    const session = [tenantId, sessionId] as const;
    const identity = await this.#thread.run(SPAN_TASKS.find, { session }, { signal });
    return identity === undefined ? [] : [{ place: { tenantId, sessionId }, identity, ownFiles: 1 }];
  }

  pathOf(): string {
    return this.#thread.path;
  }

  nameOf({ tenantId, sessionId }: SpanSession): string {
    return `${tenantId}/${sessionId}`;
  }

  async summarize(sessions: readonly SpanSession[], _lane: number, signal: AbortSignal) {
    const names = sessions.map(({ tenantId, sessionId }) => [tenantId, sessionId] as const);
    const request = { sessions: names, now: this.#now() };
    const summed = await this.#thread.run(SPAN_TASKS.summarize, request, { signal });
    return summed.map((one, i) => summaryOf(sessions[i]!, one));
  }

  describer(): SessionDescriber<SpanSession> {
    return { add: () => undefined, describe: describeSpans };
  }

  async searched(sessions: readonly SpanSession[]) {
    return searchedIn(sessions);
  }
}

/** @param summed `null` if the session does not exist; `undefined` if it cannot be derived now and stays the same */
function summaryOf(session: SpanSession, summed: SummedSession | null | undefined): SpanSummary | null {
  if (summed === undefined) return session.previous ? { ...session.previous, isComplete: false } : null;
  if (summed === null) return null;
  const newest = instantOf(summed.item.lastActive) ?? 0;
  return { ...summed, newest, touched: newest, isComplete: true };
}

function describeSpans(session: SpanSession, now: number): InspectorSessionItem {
  const { item, running, touched } = session.summary!;
  return running === undefined ? item : sessionItem(session.place, running, touched, now);
}

function* locatedIn({
  tenantIds,
  tenants,
  sessionIds,
  identities,
}: SpanSessions): Generator<LocatedSession<CataloguedLocation>, void> {
  for (const [i, sessionId] of sessionIds.entries()) {
    const identity = identities.subarray(i * NUMBERS_PER_IDENTITY, (i + 1) * NUMBERS_PER_IDENTITY);
    yield { place: { tenantId: tenantIds[tenants[i]!]!, sessionId }, identity, ownFiles: 1 };
  }
}

function* searchedIn(sessions: readonly SpanSession[]): Generator<SearchedSession, void> {
  for (const { tenantId, sessionId, identity, bytes } of sessions)
    yield { tenantId, sessionId, files: [], modifiedAt: identity[MODIFIED_AT]!, bytes };
}
