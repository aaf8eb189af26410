import type { NumberField, NumberTerm } from "../../domain/filter/session-filter.js";
import { formatInstant, instantOf } from "../../domain/trace/instant.js";
import type { SqlValues } from "./sql-values.js";

type Range = Pick<NumberTerm, "least" | "most" | "isOpen">;
type NumberCondition = (range: Range, wanted: boolean, values: SqlValues) => string | undefined;

export const NUMBER_CONDITIONS: { readonly [Field in NumberField]?: NumberCondition } = {
  tokens: numbered(
    "least(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens, 9007199254740991)",
    // Usage since the last turn has no column. Zero tokens mean that usage was not counted.
    `strpos(trace_end, '"uncounted') > 0 OR input_tokens + output_tokens + cache_read_tokens + cache_write_tokens <= 0`,
  ),
  /** The current turn of a running session may not be counted yet. */
  turns: numbered("turns", "state IN ('running', 'waiting')"),
  errors: (range, wanted, values) => {
    const condition = errorsWithin(range, wanted, values);
    return isWithin(range, 0) === wanted ? condition : `(errors IS DISTINCT FROM 0 AND ${condition})`;
  },
  duration: numbered(
    "greatest(0, trunc(coalesce(newest, added_at)) - trunc(created_at))",
    "created_at IS NULL",
  ),
  after: (range, wanted, values) => {
    const within = activeWithin(range, values);
    return wanted ? within : `NOT ${within}`;
  },
  before: numbered("trunc(coalesce(created_at, newest, added_at))"),
};

const errorsWithin = numbered("errors", "errors IS NULL");

function numbered(number: string, unknown?: string): NumberCondition {
  return (range, wanted, values) => {
    const within = rangeCondition(number, range, values);
    const condition = wanted ? within : `NOT ${within}`;
    return unknown === undefined ? condition : `(${unknown} OR ${condition})`;
  };
}

function rangeCondition(number: string, { least, most, isOpen }: Range, values: SqlValues): string {
  const ends: string[] = [];
  if (least !== -Infinity) ends.push(`${number} ${isOpen ? ">" : ">="} ${values.parameter(least)}::float8`);
  if (most !== Infinity) ends.push(`${number} ${isOpen ? "<" : "<="} ${values.parameter(most)}::float8`);
  return ends.length === 0 ? "true" : `(${ends.join(" AND ")})`;
}

function isWithin({ least, most, isOpen }: Range, number: number): boolean {
  return isOpen ? number > least && number < most : number >= least && number <= most;
}

function activeWithin({ least, most, isOpen }: Range, values: SqlValues): string {
  const from = activeFromCondition(isOpen ? Math.floor(least) + 1 : least, values);
  const behind = activeFromCondition(isOpen ? most : Math.floor(most) + 1, values);
  return `(${from} AND NOT ${behind})`;
}

export function activeFromCondition(instant: number, { parameter }: Pick<SqlValues, "parameter">): string {
  const from = Math.ceil(instant);
  if (instantOf(from) !== undefined) return `last_active >= ${parameter(formatInstant(from))}`;
  return from > 0 ? "false" : "true";
}
