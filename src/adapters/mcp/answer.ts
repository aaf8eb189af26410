import type { Cell, Own } from "./own-words.js";
import type { Shortenable } from "./shorten.js";

/** What a tool answers: values, of which the renderer decides what stands in a fence. */
export interface ToolAnswer {
  /** Whose texts these are: `s-…@revision`, or which column says it. */
  readonly of: Own;
  /** Whether free texts were asked for. Names are shown without. Default is that they were not. */
  readonly texts?: boolean;
  readonly parts: readonly ShownPart[];
}

export type ShownPart = Line | Fields | Table | Records | JsonPart;

/** A sentence of ours. */
interface Line {
  readonly is: "line";
  readonly words: Own;
}

/** Values with our names: `total: usd=3.2 tokens=500`. What is absent is left out. */
interface Fields {
  readonly is: "fields";
  readonly title: Own;
  readonly values: readonly (readonly [name: string, value: Cell])[];
}

/** Rows of values below our names; `-` is an absent one. */
interface Table {
  readonly is: "table";
  readonly title: Own | undefined;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Recorded values as JSON, each in a line behind what we know of it. They are as short as the answer has room. */
interface Records {
  readonly is: "records";
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly value: Shortenable }[];
  /** How to read a record whole that was cut. */
  readonly whole: Own;
}

/** A part of one JSON text as it is stored. */
interface JsonPart {
  readonly is: "json";
  readonly text: string;
}

/** The code's own words alone: a `string` that comes from somewhere is not one of them. */
type Literal<Text extends string> = string extends Text ? never : Text;

export function line(words: Own): ShownPart {
  return { is: "line", words };
}

/** @param values by names that are written in the code */
export function fields<Names extends string>(
  title: Own,
  values: { readonly [Title in Literal<Names>]: Cell },
): ShownPart {
  return { is: "fields", title, values: Object.entries(values) as [string, Cell][] };
}

/** @param columns names that are written in the code */
export function table<const Names extends string>(
  title: Own | undefined,
  columns: readonly Literal<Names>[],
  rows: readonly (readonly Cell[])[],
): ShownPart {
  return { is: "table", title, columns, rows };
}

/**
 * A row for each of some items. An undefined column is left out of all of them.
 *
 * @param columns what each shows, by names that are written in the code
 */
export function tableOf<One, Names extends string>(
  title: Own | undefined,
  items: readonly One[],
  columns: { readonly [Name in Literal<Names>]: ((one: One) => Cell) | undefined },
): ShownPart {
  const shown = Object.entries(columns).filter(
    (column): column is [string, (one: One) => Cell] => column[1] !== undefined,
  );
  const rows = items.map((one) => shown.map(([, show]) => show(one)));
  return { is: "table", title, columns: shown.map(([column]) => column), rows };
}

/** @param columns of the cells before each JSON text */
export function records<const Names extends string>(
  columns: readonly Literal<Names>[],
  rows: Records["rows"],
  whole: Own,
): ShownPart {
  return { is: "records", columns, rows, whole };
}

/** @param text not longer than {@link MOST_CHARACTERS} when it is quoted: `jsonPart` in `json-part.ts` sees to it */
export function json(text: string): ShownPart {
  return { is: "json", text };
}

/** How many characters an answer has at most: some 7,000 tokens. */
export const MOST_CHARACTERS = 25_000;

/** How many records an answer has at most, so that each has room enough. */
export const MOST_RECORDS = 50;
