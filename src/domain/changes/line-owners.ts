/**
 * Kind of match between a line and the line of an edit: at the written position, at another position, reformatted since, or deleted and
 * restored.
 */
export const LINE_MATCHES = ["exact", "moved", "reformatted", "restored"] as const;
export type LineMatch = (typeof LINE_MATCHES)[number];

/** A line of a file, and the edit that wrote it. */
export interface OwnedLine {
  readonly text: string;
  /** The edit's place in the list of edits; -1 where no edit wrote it. */
  readonly by: number;
  readonly match: LineMatch;
}

/** The weaker of two matches. */
export function weaker(a: LineMatch, b: LineMatch): LineMatch {
  return LINE_MATCHES.indexOf(a) < LINE_MATCHES.indexOf(b) ? b : a;
}

export function unowned(text: string): OwnedLine {
  return { text, by: -1, match: "exact" };
}

/** Texts that follow each other in two lists: how many, and the place of the first one in both. */
export interface SharedRun {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/**
 * Finds the common elements of two lists, in the order of both. The fewest elements remain unmatched. The result is a list of runs,
 * because an edit leaves most lines of a file as they were.
 *
 * @returns `undefined` if the lists differ too much
 */
export type AlignTexts = (
  before: readonly string[],
  after: readonly string[],
) => readonly SharedRun[] | undefined;
