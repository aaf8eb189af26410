export type SortValue = string | number | undefined;

/** The column that rows are sorted by. */
export interface RowOrder {
  /** By its name. */
  readonly column: string;
  readonly descending: boolean;
}

/** Sorts rows. Rows without a value come last in both directions; equal rows retain their order. */
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
