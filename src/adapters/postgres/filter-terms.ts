import type { FilterTerm } from "../../domain/filter/session-filter.js";
import { NUMBER_CONDITIONS } from "./number-terms.js";
import { TEXT_CONDITIONS } from "./text-terms.js";

/** What a condition is written with. */
export interface SqlValues {
  /** The clock, in milliseconds since the epoch. */
  readonly now: number;
  /** Adds a value to the statement, and gives its name there: nothing of a filter becomes a part of the statement's text. */
  parameter(value: unknown): string;
}

/**
 * A condition that holds for every session that a term may mean (`wanted`), or for every one that it may not mean; `undefined` where
 * that may be any. It is true or false, never unknown.
 */
export function termCondition(term: FilterTerm, wanted: boolean, values: SqlValues): string | undefined {
  switch (term.is) {
    case "error":
      return NUMBER_CONDITIONS.errors?.({ least: 0, most: Infinity, isOpen: true }, wanted, values);
    case "text":
      return TEXT_CONDITIONS[term.field]?.(term.value, wanted, values);
    case "number":
      return NUMBER_CONDITIONS[term.field]?.(term, wanted, values);
    default:
      return term satisfies never;
  }
}
