/** How far a list has come. */
export interface Growth {
  /** Increases when the history has grown, and not when lines were folded or filtered. */
  readonly version: number;
  readonly lines: number;
  /** It was read to its end at least once. */
  readonly complete: boolean;
}

/**
 * How many lines a history that goes on has added. What comes in while a history is first read is not new to its reader, and
 * neither are lines that were unfolded.
 */
export function newLines(before: Growth | undefined, now: Growth): number {
  if (before === undefined || !before.complete || before.version === now.version) return 0;
  return Math.max(0, now.lines - before.lines);
}
