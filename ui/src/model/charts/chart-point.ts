/** From 0 at the left to 1 at the right. */
export type Place = number;

/**
 * The first if several share a position.
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

const PAGE = 10;

/**
 * `undefined` for other keys.
 * @param at current point
 */
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

export interface CallRange {
  readonly from: number;
  readonly to: number;
}

/** `undefined` for one call. */
export function rangeOf(a: number, b: number): CallRange | undefined {
  return a === b ? undefined : { from: Math.min(a, b), to: Math.max(a, b) };
}

export interface CallSelection {
  readonly anchor: number;
  readonly cursor: number;
}

/** @param range selected calls; `undefined` for one */
export function extended(
  selection: CallSelection | undefined,
  range: CallRange | undefined,
  call: number,
  by: number,
  count: number,
): CallSelection {
  const goesOn =
    selection !== undefined &&
    range !== undefined &&
    Math.min(selection.anchor, selection.cursor) === range.from &&
    Math.max(selection.anchor, selection.cursor) === range.to;
  const { anchor, cursor } = goesOn ? selection : { anchor: range?.from ?? call, cursor: call };
  return { anchor, cursor: Math.min(count - 1, Math.max(0, cursor + by)) };
}
