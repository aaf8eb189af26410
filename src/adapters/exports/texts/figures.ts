import { plausibleInstant } from "../../../domain/trace/instant.js";

/** @example minuteText(1_767_502_875_022) // "2026-01-04 05:01 UTC" */
export function minuteText(at: number): string {
  if (plausibleInstant(at) === undefined) return "an unknown time";
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
