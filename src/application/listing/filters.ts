import { parseFilter } from "../../domain/filter/parse-filter.js";
import type { SessionFilter } from "../../domain/filter/session-filter.js";
import { TimeZone } from "../../domain/trace/time-zone.js";
import { InvalidRequestError } from "../errors.js";

/**
 * Returns the time zone of a request. Default is that of the process.
 *
 * @throws InvalidRequestError for an invalid name
 */
export function zoneOf(name: string | undefined): TimeZone {
  const zone = TimeZone.named(name ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (zone === undefined)
    throw new InvalidRequestError("zone", "must be a time zone, such as Europe/Berlin.");
  return zone;
}

/**
 * Parses the filter of a request.
 *
 * @param now milliseconds since the epoch
 * @throws InvalidRequestError with the position of the fault, and the probable correction
 */
export function filterOf(text: string, zone: TimeZone, now: number): SessionFilter {
  const { filter, problem } = parseFilter(text, { now, zone });
  if (problem === undefined) return filter;
  throw new InvalidRequestError("filter", `is wrong at character ${problem.at + 1}: ${problem.message}`);
}
