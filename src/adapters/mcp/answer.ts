import type { Cell, Own } from "./own-words.js";
import type { Shortenable } from "./shorten.js";

/** Answer of a tool: values. The renderer decides which of them are in a fence. */
export interface ToolAnswer {
  /** Whose texts these are: `s-…@revision`, or which column says it. */
  readonly of: Own;
  /** True if free texts were requested. Names are displayed without that. Default is false. */
  readonly texts?: boolean;
  readonly parts: readonly ShownPart[];
}

export type ShownPart = Line | Fields | Table | Records | JsonPart;

/** A sentence of ours. */
interface Line {
  readonly is: "line";
  readonly words: Own;
}

/** Values with names from the code: `total: usd=3.2 tokens=500`. Absent values are omitted. */
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

/** Recorded values as JSON, each on a line after our columns. They are shortened to fit the answer. */
interface Records {
  readonly is: "records";
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly value: Shortenable }[];
  /** Instruction for reading a complete record that was cut. */
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

/** Rows below columns with duplicate names. Use {@link tableOf} for any other table. */
export function table<const Names extends string>(
  title: Own | undefined,
  columns: readonly Literal<Names>[],
  rows: readonly (readonly Cell[])[],
): ShownPart {
  return { is: "table", title, columns, rows };
}

/**
 * Functions that return each column's value for an item, by names that are written in the code. A column whose function is undefined is
 * omitted.
 */
type Columns<One, Names extends string> = {
  readonly [Name in Literal<Names>]: ((one: One) => Cell) | undefined;
};

/** A row for each of some items. */
export function tableOf<One, Names extends string>(
  title: Own | undefined,
  items: readonly One[],
  columns: Columns<One, Names>,
): ShownPart {
  const { names, cellsOf } = shownColumns(columns);
  return { is: "table", title, columns: names, rows: items.map(cellsOf) };
}

/**
 * A line for each of some items.
 *
 * @param columns of what stands before each JSON text
 * @param recorded what that is of
 */
export function records<One, Names extends string>(
  items: readonly One[],
  columns: Columns<One, Names>,
  recorded: (one: One) => Shortenable,
  whole: Own,
): ShownPart {
  const { names, cellsOf } = shownColumns(columns);
  const rows = items.map((one) => ({ cells: cellsOf(one), value: recorded(one) }));
  return { is: "records", columns: names, rows, whole };
}

function shownColumns<One, Names extends string>(columns: Columns<One, Names>) {
  const shown = Object.entries(columns).filter(
    (column): column is [string, (one: One) => Cell] => column[1] !== undefined,
  );
  return {
    names: shown.map(([column]) => column),
    cellsOf: (one: One): readonly Cell[] => shown.map(([, show]) => show(one)),
  };
}

/** @param text not longer than {@link MOST_CHARACTERS} when it is quoted: `jsonPart` in `json-part.ts` sees to it */
export function json(text: string): ShownPart {
  return { is: "json", text };
}

/** Maximum length of an answer, in characters: about 7,000 tokens. */
export const MOST_CHARACTERS = 25_000;

/** Maximum number of records in an answer, so that each has enough room. */
export const MOST_RECORDS = 50;
