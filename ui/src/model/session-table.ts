import { compareText, type InspectorSessionItem } from "../../../src/domain/session.js";
import type { Query } from "./address.js";
import { type TenantName, tenantName } from "./tenant-name.js";

export type SessionColumn = "status" | "title" | "source" | "tenant" | "user" | "active" | "turns" | "tokens";

export const SESSION_COLUMNS: readonly SessionColumn[] = [
  "status",
  "title",
  "source",
  "tenant",
  "user",
  "active",
  "turns",
  "tokens",
];

export interface SessionSort {
  readonly column: SessionColumn;
  readonly descending: boolean;
}

/** The order in which the service lists sessions. */
export const NEWEST_FIRST: SessionSort = { column: "active", descending: true };

/** @example readSort({ sort: "-tokens" }) // most tokens first */
export function readSort(query: Query): SessionSort {
  const text = query.sort ?? "";
  const column = text.replace(/^-/, "") as SessionColumn;
  return SESSION_COLUMNS.includes(column) ? { column, descending: text.startsWith("-") } : NEWEST_FIRST;
}

export function writeSort(sort: SessionSort): string | undefined {
  if (sort.column === NEWEST_FIRST.column && sort.descending) return undefined;
  return `${sort.descending ? "-" : ""}${sort.column}`;
}

/** A line of the table: a session, or the heading of a tenant. */
export type SessionLine =
  | { readonly type: "session"; readonly session: InspectorSessionItem }
  | {
      readonly type: "tenant";
      readonly tenantId: string;
      readonly name: TenantName;
      readonly source: string | undefined;
      readonly sessions: number;
      readonly tokens: number;
    };

export function sessionLines(
  sessions: readonly InspectorSessionItem[],
  sort: SessionSort,
  grouped: boolean,
): SessionLine[] {
  const sorted = isServiceOrder(sort) ? sessions : [...sessions].sort(orderBy(sort));
  if (!grouped) return sorted.map((session) => ({ type: "session", session }));
  const tenants = new Map<string, InspectorSessionItem[]>();
  for (const session of sorted) {
    const known = tenants.get(session.tenantId);
    if (known === undefined) tenants.set(session.tenantId, [session]);
    else known.push(session);
  }
  return [...tenants].flatMap(([tenantId, members]): SessionLine[] => [
    {
      type: "tenant",
      tenantId,
      name: tenantName(members[0]!),
      source: members[0]!.source,
      sessions: members.length,
      tokens: members.reduce((sum, { tokens }) => sum + tokens, 0),
    },
    ...members.map((session): SessionLine => ({ type: "session", session })),
  ]);
}

function isServiceOrder({ column, descending }: SessionSort): boolean {
  return column === NEWEST_FIRST.column && descending;
}

function orderBy({ column, descending }: SessionSort) {
  const sign = descending ? -1 : 1;
  const compare = COMPARISONS[column];
  return (a: InspectorSessionItem, b: InspectorSessionItem) =>
    sign * compare(a, b) || compareText(b.lastActive, a.lastActive) || compareText(a.sessionId, b.sessionId);
}

/** Errors first, then running sessions. */
const STATUS_RANK: { readonly [status: string]: number } = { error: 0, running: 1, idle: 2 };

const COMPARISONS: {
  readonly [column in SessionColumn]: (a: InspectorSessionItem, b: InspectorSessionItem) => number;
} = {
  status: (a, b) => (STATUS_RANK[a.status] ?? 3) - (STATUS_RANK[b.status] ?? 3),
  title: (a, b) => compareText(label(a).toLowerCase(), label(b).toLowerCase()),
  source: (a, b) => compareText(a.source ?? "", b.source ?? ""),
  tenant: (a, b) =>
    compareText(tenantName(a).name, tenantName(b).name) || compareText(a.tenantId, b.tenantId),
  user: (a, b) => compareText(a.userId, b.userId),
  active: (a, b) => compareText(a.lastActive, b.lastActive),
  turns: (a, b) => a.turns - b.turns,
  tokens: (a, b) => a.tokens - b.tokens,
};

function label(session: InspectorSessionItem): string {
  return session.title ?? session.sessionId;
}
