export type SortValue = string | number | undefined;

/** By which column rows are sorted. */
export interface RowOrder {
  /** By its name. */
  readonly column: string;
  readonly descending: boolean;
}

/** What has no value comes last, whichever way it is sorted; what has the same stays in its order. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: (row: Row) => SortValue,
  descending: boolean,
): readonly Row[] {
  const sign = descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b ? -sign : sign;
  });
}
