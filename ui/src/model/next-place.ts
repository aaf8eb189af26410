export interface NextPlace {
  /** `undefined` behind the last place, and before the first. */
  readonly place: number | undefined;
  /** Which one of the places it is, counted from 1. */
  readonly at: number;
  readonly of: number;
}

/**
 * The next of some places in a list, or the one before.
 *
 * @param places in ascending order
 * @param here where one stands; -1 before the list
 * @param around goes on from the other end where there is none further on
 * @example nextPlace([2, 5], 2, 1, false) // { place: 5, at: 2, of: 2 }
 */
export function nextPlace(places: readonly number[], here: number, step: 1 | -1, around: boolean): NextPlace {
  const of = places.length;
  // Before the list there is nothing to go back to: its end comes first.
  const from = here === -1 && step === -1 ? Number.POSITIVE_INFINITY : here;
  const next =
    step === 1 ? places.findIndex((place) => place > from) : places.findLastIndex((place) => place < from);
  const index = next === -1 && around && of > 0 ? (step === 1 ? 0 : of - 1) : next;
  return { place: places[index], at: index + 1, of };
}
