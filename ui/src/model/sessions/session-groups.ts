import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { plausibleTime } from "../../../../src/domain/trace/instant.js";
import type { AddressQuery } from "../address/address.js";
import { dayOf } from "../text/days.js";
import type { ClockZone } from "../text/formats.js";
import { type TenantName, tenantName } from "../text/tenant-name.js";

/** By the agent's folder, else the tenant; or by the day of the last activity. */
export type SessionGrouping = "none" | "project" | "day";

export const SESSION_GROUPINGS: readonly SessionGrouping[] = ["none", "project", "day"];

/** @example readGrouping({ group: "day" }) // "day" */
export function readGrouping({ group = "" }: AddressQuery): SessionGrouping {
  return SESSION_GROUPINGS.find((grouping) => grouping === group) ?? "none";
}

/** Empty without groups. */
export function writeGrouping(grouping: SessionGrouping): string {
  return grouping === "none" ? "" : grouping;
}

export function nextGrouping(grouping: SessionGrouping): SessionGrouping {
  return SESSION_GROUPINGS[(SESSION_GROUPINGS.indexOf(grouping) + 1) % SESSION_GROUPINGS.length]!;
}

export interface SessionGroup {
  readonly type: "group";
  /** Folder or tenant id of a project; or a day such as `2026-01-15`, empty without a date. */
  readonly key: string;
  readonly project?: TenantName;
  /** Set if all sessions of the project share it. */
  readonly source?: string;
  readonly sessions: number;
  readonly tokens: number;
}

/**
 * Projects in the order of their first sessions, days newest first; within a group the order stays.
 * @param oldestFirst the order of days
 */
export function groupSessions(
  sessions: readonly InspectorSessionItem[],
  grouping: "project" | "day",
  zone: ClockZone,
  oldestFirst: boolean,
): (readonly [SessionGroup, readonly InspectorSessionItem[]])[] {
  const byKey = new Map<string, InspectorSessionItem[]>();
  for (const session of sessions) {
    const key =
      grouping === "day"
        ? dayOf(plausibleTime(session.lastActive) ?? "", zone)
        : (session.directory ?? session.tenantId);
    const existing = byKey.get(key);
    if (existing === undefined) byKey.set(key, [session]);
    else existing.push(session);
  }
  const groups = [...byKey];
  if (grouping === "day") groups.sort(([a], [b]) => (a < b === oldestFirst ? -1 : 1));
  return groups.map(([key, members]) => [heading(key, members, grouping), members]);
}

function heading(
  key: string,
  members: readonly InspectorSessionItem[],
  grouping: "project" | "day",
): SessionGroup {
  const first = members[0]!;
  const source = members.every((session) => session.source === first.source) ? first.source : undefined;
  return {
    type: "group",
    key,
    ...(grouping === "day" ? {} : { project: tenantName(first) }),
    ...(grouping === "day" || source === undefined ? {} : { source }),
    sessions: members.length,
    tokens: members.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
