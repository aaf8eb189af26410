import { SESSION_COLUMNS, type SessionColumn } from "./session-table.js";

interface FilledColumns {
  readonly columns: readonly SessionColumn[];
  readonly rarelyFilled: readonly SessionColumn[];
}

export function columnsByDefault({ columns, rarelyFilled }: FilledColumns): SessionColumn[] {
  return columns.filter((column) => !rarelyFilled.includes(column));
}

/** The title is always first. `undefined` without a choice. */
export function readColumns(text: string | undefined): SessionColumn[] | undefined {
  if (text === undefined) return undefined;
  const named = new Set(text.split(","));
  const columns = [...named].filter((name): name is SessionColumn =>
    (SESSION_COLUMNS as readonly string[]).includes(name),
  );
  return columns.length === 0 ? undefined : ["title", ...columns.filter((column) => column !== "title")];
}

export function columnsText(columns: readonly SessionColumn[] | undefined): string | undefined {
  return columns?.join(",");
}

export function choosableColumns(visible: readonly SessionColumn[]): SessionColumn[] {
  return [...visible, ...SESSION_COLUMNS.filter((column) => !visible.includes(column))];
}

/** Adds before the first column that it precedes by default. */
export function toggleColumn(visible: readonly SessionColumn[], column: SessionColumn): SessionColumn[] {
  if (visible.includes(column)) return visible.filter((one) => one !== column);
  const placeOf = (one: SessionColumn) => SESSION_COLUMNS.indexOf(one);
  const at = visible.findIndex((one) => placeOf(one) > placeOf(column));
  const place = at === -1 ? visible.length : at;
  return [...visible.slice(0, place), column, ...visible.slice(place)];
}

/** The title stays first. */
export function moveColumn(
  visible: readonly SessionColumn[],
  column: SessionColumn,
  to: number,
): SessionColumn[] {
  const others = visible.filter((one) => one !== column);
  const place = Math.min(others.length, Math.max(1, to));
  return visible.includes(column) && column !== "title"
    ? [...others.slice(0, place), column, ...others.slice(place)]
    : [...visible];
}

/** In pixels. */
const LEAST_WIDTH = 40;
const MOST_WIDTH = 900;

export function columnWidth(width: number): number {
  return Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)));
}

export type ColumnWidths = { readonly [column in SessionColumn]?: number };

/** Skips invalid entries. */
export function readWidths(value: { readonly [name: string]: unknown }): ColumnWidths {
  return Object.fromEntries(
    SESSION_COLUMNS.map((column) => [column, value[column]] as const).filter(
      ([, width]) => typeof width === "number" && columnWidth(width) === width,
    ),
  );
}
