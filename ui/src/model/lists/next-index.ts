export interface NextIndex {
  /** `undefined` after the last index, and before the first. */
  readonly index: number | undefined;
  /** Position in `of`, counted from 1. */
  readonly at: number;
  readonly of: number;
}

/**
 * @param indexes in ascending order
 * @param here current index; -1 before the list
 * @param around continues from the other end if there is no further index
 * @example nextIndex([2, 5], 2, 1, false) // { index: 5, at: 2, of: 2 }
 */
export function nextIndex(
  indexes: readonly number[],
  here: number,
  step: 1 | -1,
  around: boolean,
): NextIndex {
  const of = indexes.length;
  // Going back from before the list starts at its end.
  const from = here === -1 && step === -1 ? Number.POSITIVE_INFINITY : here;
  const next =
    step === 1 ? indexes.findIndex((one) => one > from) : indexes.findLastIndex((one) => one < from);
  const at = next === -1 && around && of > 0 ? (step === 1 ? 0 : of - 1) : next;
  return { index: indexes[at], at: at + 1, of };
}
