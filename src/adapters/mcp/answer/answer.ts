import type { Cell, Own } from "./own-words.js";
import type { Shortenable } from "./shorten.js";

/** Only values: the renderer decides which of them are in a fence. */
export interface ToolAnswer {
  /** Origin of the texts: `s-…@revision`, or the column that states it. */
  readonly of: Own;
  /** True for free texts. Names are displayed without it. Default is false. */
  readonly texts?: boolean;
  readonly parts: readonly AnswerText[];
}

export type AnswerText = Line | Fields | Table | Records | JsonPart;

interface Line {
  readonly is: "line";
  readonly words: Own;
}

/** The names come from the code: `total: usd=3.2 tokens=500`. Absent values are omitted. */
interface Fields {
  readonly is: "fields";
  readonly title: Own;
  readonly values: readonly (readonly [name: string, value: Cell])[];
}

/** The column names come from the code; `-` is an absent value. */
interface Table {
  readonly is: "table";
  readonly title: Own | undefined;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Recorded values as JSON, shortened to fit the answer. */
interface Records {
  readonly is: "records";
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly Cell[]; readonly value: Shortenable }[];
  readonly complete: Own;
}

interface JsonPart {
  readonly is: "json";
  readonly text: string;
}

/** Accepts only literals of the code: a `string` could come from a history. */
type Literal<Text extends string> = string extends Text ? never : Text;

export function line(words: Own): AnswerText {
  return { is: "line", words };
}

export function fields<Names extends string>(
  title: Own,
  values: { readonly [Title in Literal<Names>]: Cell },
): AnswerText {
  return { is: "fields", title, values: Object.entries(values) as [string, Cell][] };
}

/** For columns with duplicate names; use {@link tableOf} for any other table. */
export function table<const Names extends string>(
  title: Own | undefined,
  columns: readonly Literal<Names>[],
  rows: readonly (readonly Cell[])[],
): AnswerText {
  return { is: "table", title, columns, rows };
}

/** A column whose function is undefined is omitted. */
type Columns<One, Names extends string> = {
  readonly [Name in Literal<Names>]: ((one: One) => Cell) | undefined;
};

export function tableOf<One, Names extends string>(
  title: Own | undefined,
  items: readonly One[],
  columns: Columns<One, Names>,
): AnswerText {
  const { names, cellsOf } = visibleColumns(columns);
  return { is: "table", title, columns: names, rows: items.map(cellsOf) };
}

export function records<One, Names extends string>(
  items: readonly One[],
  columns: Columns<One, Names>,
  recorded: (one: One) => Shortenable,
  complete: Own,
): AnswerText {
  const { names, cellsOf } = visibleColumns(columns);
  const rows = items.map((one) => ({ cells: cellsOf(one), value: recorded(one) }));
  return { is: "records", columns: names, rows, complete };
}

function visibleColumns<One, Names extends string>(columns: Columns<One, Names>) {
  const visible = Object.entries(columns).filter(
    (column): column is [string, (one: One) => Cell] => column[1] !== undefined,
  );
  return {
    names: visible.map(([column]) => column),
    cellsOf: (one: One): readonly Cell[] => visible.map(([, show]) => show(one)),
  };
}

/** @param text not longer than {@link MOST_CHARACTERS} in quotes: `jsonPart` in `json-part.ts` ensures this */
export function json(text: string): AnswerText {
  return { is: "json", text };
}

/** In characters: about 7,000 tokens. */
export const MOST_CHARACTERS = 25_000;

export const MOST_RECORDS = 50;
