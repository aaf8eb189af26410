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
  const known = [...named].filter((name): name is SessionColumn =>
    (SESSION_COLUMNS as readonly string[]).includes(name),
  );
  return known.length === 0 ? undefined : ["title", ...known.filter((column) => column !== "title")];
}

export function columnsText(columns: readonly SessionColumn[] | undefined): string | undefined {
  return columns?.join(",");
}

export function choosableColumns(shown: readonly SessionColumn[]): SessionColumn[] {
  return [...shown, ...SESSION_COLUMNS.filter((column) => !shown.includes(column))];
}

/** Adds before the first column that it precedes by default. */
export function toggleColumn(shown: readonly SessionColumn[], column: SessionColumn): SessionColumn[] {
  if (shown.includes(column)) return shown.filter((one) => one !== column);
  const placeOf = (one: SessionColumn) => SESSION_COLUMNS.indexOf(one);
  const at = shown.findIndex((one) => placeOf(one) > placeOf(column));
  const place = at === -1 ? shown.length : at;
  return [...shown.slice(0, place), column, ...shown.slice(place)];
}

/** The title stays first. */
export function moveColumn(
  shown: readonly SessionColumn[],
  column: SessionColumn,
  to: number,
): SessionColumn[] {
  const others = shown.filter((one) => one !== column);
  const place = Math.min(others.length, Math.max(1, to));
  return shown.includes(column) && column !== "title"
    ? [...others.slice(0, place), column, ...others.slice(place)]
    : [...shown];
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
