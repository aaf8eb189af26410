import { compareText } from "../../../../src/domain/lists/compare-text.js";
import {
  hasNoCounts,
  type InspectorSessionItem,
  isQuiet,
  SESSION_STATES,
  stateOf,
} from "../../../../src/domain/session/session.js";
import { hasNoPrice } from "../../../../src/domain/text/figures.js";
import { plausibleInstant, plausibleTime } from "../../../../src/domain/trace/instant.js";
import type { AddressQuery } from "../address/address.js";
import type { ClockZone } from "../text/formats.js";
import { shortModel } from "../text/model-name.js";
import { tenantName } from "../text/tenant-name.js";
import { groupSessions, type SessionGroup, type SessionGrouping } from "./session-groups.js";
import { sessionTitle } from "./session-title.js";

export const SESSION_COLUMNS = [
  "title",
  "status",
  "source",
  "tenant",
  "user",
  "model",
  "errors",
  "duration",
  "turns",
  "tokens",
  "cost",
  "active",
] as const;

export type SessionColumn = (typeof SESSION_COLUMNS)[number];

export interface SessionSort {
  readonly column: SessionColumn;
  readonly descending: boolean;
}

const NEWEST_FIRST: SessionSort = { column: "active", descending: true };

/** @example readSort({ sort: "-tokens" }) // most tokens first */
export function readSort(query: AddressQuery): SessionSort {
  const text = query.sort ?? "";
  const column = text.replace(/^-/, "") as SessionColumn;
  return SESSION_COLUMNS.includes(column) ? { column, descending: text.startsWith("-") } : NEWEST_FIRST;
}

export function writeSort(sort: SessionSort): string | undefined {
  if (sort.column === NEWEST_FIRST.column && sort.descending) return undefined;
  return `${sort.descending ? "-" : ""}${sort.column}`;
}

export type SessionLine = { readonly type: "session"; readonly session: InspectorSessionItem } | SessionGroup;

/**
 * @param zone decides the day of an instant
 * @param now in milliseconds since the epoch: later activity does not count as the newest
 */
export function sessionLines(
  sessions: readonly InspectorSessionItem[],
  sort: SessionSort,
  grouping: SessionGrouping,
  zone: ClockZone,
  now: number,
): SessionLine[] {
  const sorted = sortSessions(sessions, sort, now);
  const lines = (members: readonly InspectorSessionItem[]) =>
    members.map((session): SessionLine => ({ type: "session", session }));
  if (grouping === "none") return lines(sorted);
  const oldestFirst = sort.column === "active" && !sort.descending;
  const groups = groupSessions(sorted, grouping, zone, oldestFirst);
  return groups.flatMap(([group, members]) => [group, ...lines(members)]);
}

/** Tolerance for clocks of several machines. */
const CLOCK_SKEW_MS = 60_000;

/** Activity in the future: a clock was wrong. */
export function isAhead({ lastActive }: InspectorSessionItem, now: number): boolean {
  return Date.parse(lastActive) > now + CLOCK_SKEW_MS;
}

/** From creation to the newest record; `undefined` if a time is missing. */
export function sessionDuration({ createdAt, lastActive }: InspectorSessionItem): number | undefined {
  const [from, to] = [plausibleInstant(createdAt), plausibleInstant(lastActive)];
  return from !== undefined && to !== undefined && to >= from ? to - from : undefined;
}

export function fillsColumn(session: InspectorSessionItem, column: SessionColumn): boolean {
  const value = VALUES[column](session);
  if (column === "status") return !isQuiet(session);
  if (column === "tokens" && hasNoCounts(session)) return session.turns > 0;
  return value !== undefined && value !== 0;
}

/** Nearly all sessions leave a column empty that a smaller part fills. */
const LEAST_FILLED = 0.05;

/** @param sessions at least one */
export function filledColumns(sessions: readonly InspectorSessionItem[]): {
  readonly filled: readonly SessionColumn[];
  readonly rarely: readonly SessionColumn[];
} {
  const counts = new Map<SessionColumn, number>();
  for (const column of SESSION_COLUMNS) {
    let count = 0;
    for (const session of sessions) if (fillsColumn(session, column)) count++;
    counts.set(column, count);
  }
  const filled = SESSION_COLUMNS.filter((column) => counts.get(column)! > 0);
  return {
    filled,
    rarely: filled.filter((column) => counts.get(column)! < sessions.length * LEAST_FILLED),
  };
}

/** Sessions without a value come last in both directions. */
function sortSessions(
  sessions: readonly InspectorSessionItem[],
  { column, descending }: SessionSort,
  now: number,
): readonly InspectorSessionItem[] {
  const isByTime = column === NEWEST_FIRST.column;
  if (isByTime && descending && !sessions.some((session) => isAhead(session, now))) return sessions;
  const sign = descending ? -1 : 1;
  const valued = sessions.map((session) => ({
    session,
    value: isByTime ? activeBy(session, now) : VALUES[column](session),
  }));
  // Those of one instant stay as the service lists them.
  const isListed = isByTime && descending;
  valued.sort(
    (a, b) => compareValues(a.value, b.value, sign) || (isListed ? 0 : byNewest(a.session, b.session)),
  );
  return valued.map(({ session }) => session);
}

function byNewest(a: InspectorSessionItem, b: InspectorSessionItem): number {
  return compareText(b.lastActive, a.lastActive) || compareText(a.sessionId, b.sessionId);
}

/** A time in the future is replaced by the beginning, if that has passed. */
function activeBy(session: InspectorSessionItem, now: number): string | undefined {
  const { lastActive, createdAt } = session;
  if (!isAhead(session, now)) return plausibleTime(lastActive);
  return createdAt !== undefined && Date.parse(createdAt) <= now ? createdAt : undefined;
}

function compareValues(a: Value, b: Value, sign: 1 | -1): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -sign : sign;
}

type Value = string | number | undefined;

const VALUES: { readonly [column in SessionColumn]: (session: InspectorSessionItem) => Value } = {
  title: (session) => (sessionTitle(session) ?? session.sessionId).toLowerCase(),
  status: (session) => SESSION_STATES.indexOf(stateOf(session).kind),
  source: ({ source }) => source,
  tenant: (session) => `${tenantName(session).name}\0${session.tenantId}`,
  user: ({ userId }) => userId || undefined,
  model: ({ model }) => (model ? shortModel(model).toLowerCase() : undefined),
  errors: ({ errors }) => errors || undefined,
  duration: sessionDuration,
  turns: ({ turns }) => turns,
  tokens: (session) => (hasNoCounts(session) ? undefined : session.tokens),
  cost: ({ cost }) => (cost === undefined || hasNoPrice(cost) ? undefined : cost.usd),
  active: ({ lastActive }) => plausibleTime(lastActive),
};
