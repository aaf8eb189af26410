import type { Interval } from "../../../../src/domain/time/intervals.js";
import { positionOf, type TimeAxis } from "../charts/time-axis.js";

/** Integer units. Merges stretches closer than a unit, so that their number is bounded. Each has a width. */
export function placesOn(axis: TimeAxis, intervals: readonly Interval[], units: number): [number, number][] {
  const places = intervals
    .filter(([from, to]) => from <= to)
    .map(([from, to]): [number, number] => {
      const x0 = Math.min(units - 1, Math.floor(positionOf(axis, from) * units));
      return [x0, Math.max(x0 + 1, Math.ceil(positionOf(axis, to) * units))];
    })
    .sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const place of places) {
    const last = joined.at(-1);
    if (last !== undefined && place[0] <= last[1]) last[1] = Math.max(last[1], place[1]);
    else joined.push(place);
  }
  return joined;
}

export function pointsOn(axis: TimeAxis, instants: readonly number[], units: number): number[] {
  return [...new Set(instants.map((at) => Math.round(positionOf(axis, at) * units)))].sort((a, b) => a - b);
}
