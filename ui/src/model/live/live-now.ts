let stoppedAt: number | undefined;

/**
 * A page that is a file stops its clock at the export.
 * @param at milliseconds since the epoch. The clock continues if it is not a number
 */
export function stopClock(at: number): void {
  stoppedAt = Number.isNaN(at) ? undefined : at;
}

export function liveNow(): number {
  return stoppedAt ?? Date.now();
}
