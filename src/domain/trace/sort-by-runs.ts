import { isPause } from "../lists/is-pause.js";
/**
 * Natural, stable merge sort: a sorted list costs one pass. It pauses, so that a million positions do not block the event loop.
 * @param order sorted in place
 * @param compare a total order: never 0 for two different positions
 */
export function* sortByRuns(
  order: Uint32Array<ArrayBuffer>,
  compare: (a: number, b: number) => number,
): Generator<void, void> {
  let starts = [0];
  for (let i = 1; i < order.length; i++) {
    if (compare(order[i - 1]!, order[i]!) > 0) starts.push(i);
    if (isPause(i)) yield;
  }
  if (starts.length <= 1) return;
  let from = order;
  let to = new Uint32Array(order.length);
  while (starts.length > 1) {
    const merged: number[] = [];
    for (let run = 0; run < starts.length; run += 2) {
      const start = starts[run]!;
      const end = starts[run + 2] ?? order.length;
      merged.push(start);
      yield* mergeNeighbours(from, to, start, starts[run + 1], end, compare);
    }
    starts = merged;
    [from, to] = [to, from];
  }
  if (from !== order) order.set(from);
}

/** Without a second run it copies the first. */
function* mergeNeighbours(
  from: Uint32Array<ArrayBuffer>,
  to: Uint32Array<ArrayBuffer>,
  start: number,
  middle: number | undefined,
  end: number,
  compare: (a: number, b: number) => number,
): Generator<void, void> {
  let left = start;
  let right = middle ?? end;
  const leftEnd = right;
  for (let at = start; at < end; at++) {
    const takeLeft = right >= end || (left < leftEnd && compare(from[left]!, from[right]!) <= 0);
    to[at] = takeLeft ? from[left++]! : from[right++]!;
    if (isPause(at)) yield;
  }
}
