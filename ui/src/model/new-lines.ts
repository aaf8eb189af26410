/** Growth of a list. */
export interface Growth {
  /** Increases when the history has grown, and not when lines were folded or filtered. */
  readonly version: number;
  readonly lines: number;
  /** It was read to its end at least once. */
  readonly complete: boolean;
}

/** Returns the number of lines added by a growing history. Lines of the first read do not count as new, nor do unfolded lines. */
export function newLines(before: Growth | undefined, now: Growth): number {
  if (before === undefined || !before.complete || before.version === now.version) return 0;
  return Math.max(0, now.lines - before.lines);
}
