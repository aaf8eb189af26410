/**
 * Instants in records come as ISO 8601 strings or as milliseconds since the epoch. Inside they are milliseconds; in
 * responses they are ISO 8601, UTC, with milliseconds. `undefined` means that the record knows none.
 */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === "number") return isRepresentable(value) ? value : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  const instant = Date.parse(value);
  return Number.isNaN(instant) ? undefined : instant;
}

export function formatInstant(instant: number): string {
  return new Date(instant).toISOString();
}

/** The newest of the instants that are known. */
export function newestInstant(...instants: readonly (number | undefined)[]): number | undefined {
  let newest: number | undefined;
  for (const instant of instants) {
    if (instant !== undefined && (newest === undefined || instant > newest)) newest = instant;
  }
  return newest;
}

/** The range of `Date`, ECMA-262 section 21.4.1.1. */
function isRepresentable(instant: number): boolean {
  return Math.abs(instant) <= 8.64e15;
}
