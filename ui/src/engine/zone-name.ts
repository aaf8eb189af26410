import type { ClockZone } from "../model/formats.js";

/** By whose days dates of a filter are read: a name of the IANA database. */
export function zoneName(zone: ClockZone): string {
  return zone === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
