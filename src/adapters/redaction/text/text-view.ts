export type PlaceInText = (start: number, end: number) => readonly [start: number, end: number];

/** A text without an encoding, without invisible characters, or with joined lines. */
export interface TextView {
  readonly text: string;
  readonly place: PlaceInText;
  /** Offsets of removed line breaks, ascending. Only tokens by form are searched in such a view. */
  readonly lineBreaks?: readonly number[] | undefined;
  /** The original text, although it hides something. Only values that hide something are searched in it, without rules. */
  readonly isWritten?: boolean | undefined;
}

export interface Reading {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies all readings.
 * @param readings in ascending order, without overlaps
 * @returns `undefined` without readings
 */
export function viewOf(text: string, readings: Iterable<Reading>): TextView | undefined {
  const parts: string[] = [];
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
  /** A range that touches a long reading covers all of it. */
  const textOffset = (offset: number, at: number, side: 0 | 1) => {
    if (at === -1) return offset;
    if (at % 2 === 1) return textOffsets[at]! + offset - offsets[at]!;
    return textOffsets[offset > offsets[at]! ? at + side : at]!;
  };
  const place: PlaceInText = (start, end) => [
    textOffset(start, lastBelow(offsets, start + 1), 0),
    textOffset(end, lastBelow(offsets, end), 1),
  ];
  return { text: parts.join(""), place };
}

/** -1 without such a value. */
function lastBelow(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
