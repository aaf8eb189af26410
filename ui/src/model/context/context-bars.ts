export interface ContextBar<Row> {
  readonly row: Row;
  /** Represented calls, both included. */
  readonly from: number;
  readonly to: number;
  readonly isCompacted: boolean;
}

/**
 * The largest call of a bar is visible, so that no peak is lost.
 * @param most maximum number of bars
 */
export function contextBars<Row extends { readonly compacted: boolean }>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  most: number,
): readonly ContextBar<Row>[] {
  const step = Math.max(1, Math.ceil(rows.length / most));
  const bars: ContextBar<Row>[] = [];
  for (let from = 0; from < rows.length; from += step) {
    const shared = rows.slice(from, from + step);
    bars.push({
      row: shared.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a)),
      from,
      to: from + shared.length - 1,
      isCompacted: shared.some(({ compacted }) => compacted),
    });
  }
  return bars;
}
