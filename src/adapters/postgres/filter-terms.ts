import type { FilterTerm } from "../../domain/filter/session-filter.js";
import { NUMBER_CONDITIONS } from "./number-terms.js";
import type { SqlValues } from "./sql-values.js";
import { TEXT_CONDITIONS } from "./text-terms.js";

/** Returns a condition for every session that may match (`wanted`), or may not; `undefined` if any may. It is never null. */
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
