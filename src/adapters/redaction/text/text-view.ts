/** Maps a range of a view to the range of the text that it was read from. */
export type PlaceInText = (start: number, end: number) => readonly [start: number, end: number];

/** A text as a reader sees it who undoes an encoding of it, removes what is invisible in it, or joins its lines. */
export interface TextView {
  readonly text: string;
  readonly place: PlaceInText;
  /** Offsets in the view at which a line break was removed, in ascending order. Only tokens by their form are searched in such a view. */
  readonly lineBreaks?: readonly number[] | undefined;
  /** The text as it is written, although it hides something. Rules do not search it: only values that themselves hide something do. */
  readonly isWritten?: boolean | undefined;
}

/** A range of a text, and the text that a reader reads there. */
export interface Reading {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with all readings applied.
 *
 * @param readings in ascending order, without overlaps
 * @returns `undefined` where there is no reading
 */
export function viewOf(text: string, readings: Iterable<Reading>): TextView | undefined {
  const parts: string[] = [];
  /** The start and the end of each reading, in the view and in the text. */
  const offsets: number[] = [];
  const textOffsets: number[] = [];
  let [from, length] = [0, 0];
  for (const { start, end, text: read } of readings) {
    parts.push(text.slice(from, start), read);
    length += start - from;
    offsets.push(length, length + read.length);
    textOffsets.push(start, end);
    length += read.length;
    from = end;
  }
  if (offsets.length === 0) return undefined;
  parts.push(text.slice(from));
  /** A range that touches a reading of several characters covers all of it. */
  const textOffset = (offset: number, at: number, side: 0 | 1) => {
    if (at === -1) return offset;
    if (at % 2 === 1) return textOffsets[at]! + offset - offsets[at]!;
    return textOffsets[offset > offsets[at]! ? at + side : at]!;
  };
  const place: PlaceInText = (start, end) => [
    textOffset(start, lastBelow(offsets, start + 1), 0),
    // A removed part after the last character does not belong to the range.
    textOffset(end, lastBelow(offsets, end), 1),
  ];
  return { text: parts.join(""), place };
}

/** Returns the last index with a value below a limit; -1 without such a value. */
function lastBelow(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
