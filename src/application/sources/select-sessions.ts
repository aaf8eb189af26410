import { labelOf } from "../../domain/json/json.js";
import { FirstOnes } from "../../domain/lists/first-ones.js";
import { isPause } from "../../domain/lists/is-pause.js";
import {
  compareSessions,
  type InspectorSessionItem,
  type SessionSortKey,
} from "../../domain/session/session.js";
import { sortByRuns } from "../../domain/trace/sort-by-runs.js";
import { InvalidRequestError } from "../errors.js";
import type { SessionSearch } from "../ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../ports/record-search.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";

/** For a longer page it is faster to sort all matches. */
const SHORT_PAGE = 2_000;

export function* selectSessions<Item extends InspectorSessionItem>(
  sessions: readonly Item[],
  search: SessionSearch,
): Generator<void, Item[]> {
  const { limit } = search;
  const matches = matcherOf(search);
  const page =
    limit !== undefined && limit <= SHORT_PAGE ? new FirstOnes<Item>(limit, compareSessions) : undefined;
  const selected: Item[] = [];
  for (const [i, session] of sessions.entries()) {
    if (matches(session)) {
      if (page === undefined) selected.push(session);
      else page.add(session);
    }
    if (isPause(i)) yield;
  }
  if (page !== undefined) return page.items;
  const order = new Uint32Array(selected.length).map((_, i) => i);
  yield* sortByRuns(order, (a, b) => compareSessions(selected[a]!, selected[b]!) || a - b);
  const sorted: Item[] = [];
  for (const position of limit === undefined ? order : order.subarray(0, limit)) {
    sorted.push(selected[position]!);
    if (isPause(sorted.length)) yield;
  }
  return sorted;
}

export function matcherOf({
  tenantId,
  tenants,
  sessionId,
  userId,
  status,
  text,
  after,
}: SessionSearch): (session: InspectorSessionItem) => boolean {
  const wanted = text?.toLowerCase();
  const wantedTenants = tenants && new Set(tenants);
  return (session) =>
    (after === undefined || compareSessions(session, after) > 0) &&
    (tenantId === undefined || session.tenantId === tenantId) &&
    (wantedTenants === undefined || wantedTenants.has(session.tenantId)) &&
    (sessionId === undefined || session.sessionId === sessionId) &&
    (userId === undefined || session.userId === userId) &&
    (status === undefined || session.status === status) &&
    (wanted === undefined ||
      [session.sessionId, session.userId, session.title].some((field) =>
        labelOf(field)?.toLowerCase().includes(wanted),
      ));
}

/** For a source without a search of records: every session is a candidate, in the order of the list. */
export async function listCandidates(
  source: Pick<SessionSource, "findSessions">,
  { tenantId, tenants, sessionId, after, limit }: RecordSearch,
  options?: ReadOptions,
): Promise<RecordSearchPage> {
  if (sessionId !== undefined) return onlyOf(tenantId ?? "", sessionId, after);
  const { items: sessions } = await source.findSessions({ tenantId, tenants }, options);
  const from = after === undefined ? 0 : countUpTo(sessions, after);
  const candidates = sessions.slice(from, from + limit).map((session, i) => ({
    tenantId: session.tenantId,
    sessionId: session.sessionId,
    place: placeText(session),
    before: { sessions: from + i },
  }));
  const end = from + candidates.length;
  return {
    candidates,
    next: end < sessions.length ? candidates.at(-1)?.place : undefined,
    searched: { sessions: end },
    total: { sessions: sessions.length },
  };
}

function countUpTo(sessions: readonly SessionSortKey[], after: string): number {
  if (!PLACE_TEXT.test(after)) throw new InvalidRequestError("cursor", "was not issued for this search.");
  const place = placeOfText(after);
  const behind = sessions.findIndex((session) => compareSessions(session, place) > 0);
  return behind === -1 ? sessions.length : behind;
}

function onlyOf(tenantId: string, sessionId: string, after: string | undefined): RecordSearchPage {
  const place = placeText({ lastActive: "", tenantId, sessionId });
  const candidate = { tenantId, sessionId, place, before: { sessions: 0 } };
  const one = { sessions: 1 };
  return { candidates: after === place ? [] : [candidate], next: undefined, searched: one, total: one };
}

const TEXT = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;

export const PLACE_TEXT = new RegExp(`^\\[${TEXT},${TEXT},${TEXT}\\]$`);

/** Pages begin at a place, not at a number: sessions that become active meanwhile move no others. */
export function placeText({ lastActive, tenantId, sessionId }: SessionSortKey): string {
  return JSON.stringify([lastActive, tenantId, sessionId]);
}

/** @param text of the form of {@link PLACE_TEXT} */
export function placeOfText(text: string): SessionSortKey {
  const [lastActive, tenantId, sessionId] = JSON.parse(text) as [string, string, string];
  return { lastActive, tenantId, sessionId };
}
