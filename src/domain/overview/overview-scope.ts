import type { TimeZone } from "../trace/time-zone.js";
import type { Grouping, Stacking } from "./overview.js";
import { nextMonth } from "./time-buckets.js";

/** Instants are milliseconds since the epoch, at the start of quarter hours. */
export interface OverviewScope {
  /** `undefined` for everything before `to`. */
  readonly from: number | undefined;
  readonly to: number;
  readonly now: number;
  readonly zone: TimeZone;
  readonly by: Grouping;
  readonly stack: Stacking;
}

export const DAY_MS = 86_400_000;

/** `undefined` for everything. */
export function overviewNeedsFrom(scope: OverviewScope): number | undefined {
  const { from, to, now } = scope;
  if (from === undefined) return undefined;
  return Math.min(from - (to - from), now - 7 * DAY_MS, monthOf(scope).from);
}

export function monthOf({ now, zone }: Pick<OverviewScope, "now" | "zone">) {
  const day = zone.dayOf(now);
  return { from: zone.instantOf({ ...day, day: 1 }), to: zone.instantOf(nextMonth(day)) };
}
