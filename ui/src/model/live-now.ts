let stoppedAt: number | undefined;

/**
 * Stops the clock of a page that is a file at the instant of its export.
 *
 * @param at milliseconds since the epoch. The clock continues if it is not a number
 */
export function stopClock(at: number): void {
  stoppedAt = Number.isNaN(at) ? undefined : at;
}

/** Returns the current time for running work, in milliseconds since the epoch. */
export function liveNow(): number {
  return stoppedAt ?? Date.now();
}
