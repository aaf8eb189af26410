/** A place among the points of a chart, from 0 at its left to 1 at its right. */
export type Place = number;

/**
 * Returns the point nearest to a position; the first if several share a position.
 *
 * @param places of all points, ascending
 * @returns -1 without points
 */
export function nearestPoint(places: readonly Place[], place: Place): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < place) low = middle + 1;
    else high = middle;
  }
  if (low === places.length) return places.indexOf(places[low - 1]!);
  if (low === 0) return 0;
  const isBefore = place - places[low - 1]! <= places[low]! - place;
  return isBefore ? places.indexOf(places[low - 1]!) : low;
}

/** Number of points that a page key moves. */
const PAGE = 10;

/** The point that a key of a slider leads to; `undefined` for any other key. @param at where it is now */
export function pointByKey(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  const to = {
    Home: 0,
    End: last,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - PAGE,
    PageUp: at + PAGE,
  }[key];
  return to === undefined || count === 0 ? undefined : Math.min(last, Math.max(0, to));
}

/** Two calls that are compared, the earlier one first; counted from 0. */
export interface CallRange {
  readonly from: number;
  readonly to: number;
}

/** Two calls in their order; `undefined` where they are one. */
export function rangeOf(a: number, b: number): CallRange | undefined {
  return a === b ? undefined : { from: Math.min(a, b), to: Math.max(a, b) };
}

/** The calls from one that stays to one that moves. */
export interface CallSelection {
  readonly anchor: number;
  readonly cursor: number;
}

/** @param range the calls that are selected now; `undefined` where it is one */
export function extended(
  selection: CallSelection | undefined,
  range: CallRange | undefined,
  call: number,
  by: number,
  count: number,
): CallSelection {
  // A selection that was made in another way continues from its end.
  const goesOn =
    selection !== undefined &&
    range !== undefined &&
    Math.min(selection.anchor, selection.cursor) === range.from &&
    Math.max(selection.anchor, selection.cursor) === range.to;
  const { anchor, cursor } = goesOn ? selection : { anchor: range?.from ?? call, cursor: call };
  return { anchor, cursor: Math.min(count - 1, Math.max(0, cursor + by)) };
}
