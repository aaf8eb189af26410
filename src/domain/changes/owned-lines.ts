/**
 * How a line is known to be the one that an edit wrote: it stands where it was put, it stands elsewhere now, it was formatted since, or it had
 * gone and came back.
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

/** Of two ways to know a line, the one that says less. */
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
 * Finds what two lists have in common, in the order of both. Fewest others are left. It is told by runs: of a file that was edited hardly
 * any line is another one.
 *
 * @returns `undefined` where they are too different
 */
export type AlignTexts = (
  before: readonly string[],
  after: readonly string[],
) => readonly SharedRun[] | undefined;
