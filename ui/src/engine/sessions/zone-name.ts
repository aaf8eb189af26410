import type { ClockZone } from "../../model/text/formats.js";

/** IANA name of the zone for dates in filters. */
export function zoneName(zone: ClockZone): string {
  return zone === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
