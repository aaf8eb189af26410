import { SESSION_COLUMNS, type SessionColumn } from "./session-table.js";

/** Facts about the columns that sessions fill. */
interface FilledColumns {
  readonly columns: readonly SessionColumn[];
  readonly rarelyFilled: readonly SessionColumn[];
}

/** Returns the default columns: those that more than a few sessions fill. */
export function columnsByDefault({ columns, rarelyFilled }: FilledColumns): SessionColumn[] {
  return columns.filter((column) => !rarelyFilled.includes(column));
}

/** A choice of columns as an address names it; the title is in every one, and first. `undefined` where it names none. */
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

/** Returns all selectable columns: the visible columns in their order, then the others. */
export function choosableColumns(shown: readonly SessionColumn[]): SessionColumn[] {
  return [...shown, ...SESSION_COLUMNS.filter((column) => !shown.includes(column))];
}

/** Removes a column from the visible columns, or adds it before the first column that it precedes by default. */
export function toggleColumn(shown: readonly SessionColumn[], column: SessionColumn): SessionColumn[] {
  if (shown.includes(column)) return shown.filter((one) => one !== column);
  const placeOf = (one: SessionColumn) => SESSION_COLUMNS.indexOf(one);
  const at = shown.findIndex((one) => placeOf(one) > placeOf(column));
  const place = at === -1 ? shown.length : at;
  return [...shown.slice(0, place), column, ...shown.slice(place)];
}

/** Moves a visible column to the position of another. The title stays first. */
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

/** Minimum width of a column, in pixels. */
const LEAST_WIDTH = 40;
const MOST_WIDTH = 900;

export function columnWidth(width: number): number {
  return Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)));
}

export type ColumnWidths = { readonly [column in SessionColumn]?: number };

/** Parses stored widths; skips invalid entries. */
export function readWidths(value: { readonly [name: string]: unknown }): ColumnWidths {
  return Object.fromEntries(
    SESSION_COLUMNS.map((column) => [column, value[column]] as const).filter(
      ([, width]) => typeof width === "number" && columnWidth(width) === width,
    ),
  );
}
