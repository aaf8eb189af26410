let stoppedAt: number | undefined;

/** What goes on in a page that is a file stands as it did when it was exported. */
export function stopClock(at: number): void {
  stoppedAt = at;
}

/** The time now, for what goes on: milliseconds since the epoch. */
export function liveNow(): number {
  return stoppedAt ?? Date.now();
}
