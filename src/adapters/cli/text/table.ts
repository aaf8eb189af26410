import { cutEnd, widthOf } from "./text-width.js";

export interface TableColumn {
  readonly isNumber?: boolean;
  /** Minimum width in a narrow terminal. Default is the full width of the texts. */
  readonly least?: number;
  readonly cut?: (text: string, width: number) => string;
  /** A narrow table drops columns, the highest number first. Default is to retain the column. */
  readonly drop?: number;
}

const GAP = 2;

/**
 * @param columns default is texts that are not cut
 * @param width of the terminal. Default is unlimited
 */
export function inColumns(
  rows: readonly (readonly string[])[],
  columns: readonly TableColumn[] = [],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const full = (rows[0] ?? []).map((_, i) => rows.reduce((most, row) => Math.max(most, widthOf(row[i]!)), 0));
  const least = full.map((most, i) => Math.min(most, columns[i]?.least ?? most));
  let visible = [...full.keys()];
  const spareWidth = () => visible.reduce((rest, i) => rest - least[i]! - GAP, width + GAP);
  const droppable = visible.filter((i) => columns[i]?.drop !== undefined);
  for (const i of droppable.sort((a, b) => columns[b]!.drop! - columns[a]!.drop!)) {
    if (spareWidth() < 0) visible = visible.filter((other) => other !== i);
  }
  let spare = spareWidth();
  const fitted = visible.map((i) => {
    const canShrink = columns[i]?.least !== undefined;
    const fits = canShrink ? Math.min(full[i]!, Math.max(1, least[i]! + spare)) : full[i]!;
    spare -= fits - least[i]!;
    return { i, fits, cut: columns[i]?.cut ?? cutEnd, isNumber: columns[i]?.isNumber === true };
  });
  return rows.map((row) =>
    fitted
      .map(({ i, fits, cut, isNumber }) => {
        const text = widthOf(row[i]!) <= fits ? row[i]! : cut(row[i]!, fits);
        const space = " ".repeat(Math.max(0, fits - widthOf(text)));
        return isNumber ? space + text : text + space;
      })
      .join(" ".repeat(GAP)),
  );
}
