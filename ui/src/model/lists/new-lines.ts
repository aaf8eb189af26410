export interface Growth {
  /** Increases when the history grows, not when lines are folded or filtered. */
  readonly version: number;
  readonly lines: number;
  readonly complete: boolean;
}

/** Lines of the first read, and unfolded lines, are not new. */
export function newLines(before: Growth | undefined, now: Growth): number {
  if (before === undefined || !before.complete || before.version === now.version) return 0;
  return Math.max(0, now.lines - before.lines);
}
