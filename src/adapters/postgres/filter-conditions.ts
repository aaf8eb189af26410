import type { SessionFilter } from "../../domain/filter/session-filter.js";
import { termCondition } from "./filter-terms.js";
import type { SqlValues } from "./sql-values.js";
import { tenantConditions } from "./text-terms.js";

/** With more terms than that, a filter is left to the inspector: the server takes long to plan it. */
const MOST_TERMS = 200;

/**
 * Returns a condition in SQL that is true for every session that may match a filter; `undefined` if any session may match. A term that
 * the columns cannot decide may be true or false, also under a `not`. So the condition for each node selects the sessions that may fulfil
 * it, or that may not. Each condition is true or false, never null.
 */
export function filterCondition(filter: SessionFilter, values: SqlValues): string | undefined {
  return termsOf(filter) > MOST_TERMS ? undefined : conditionFor(filter, true, values);
}

/**
 * The same in parts that have no session in common, where each of them alone can be read in the order of an index: sessions of a tenant, and
 * those of others in a folder of that name. Sorted together, all of them would have to be read for the first few.
 */
export function filterParts(filter: SessionFilter, values: SqlValues): readonly (string | undefined)[] {
  const all = filter.is === "all" ? filter.of : [filter];
  const tenant = all.find((one) => one.is === "text" && one.field === "tenant");
  if (tenant?.is !== "text" || termsOf(filter) > MOST_TERMS) return [filterCondition(filter, values)];
  const rest = everyOf(
    all.filter((one) => one !== tenant),
    true,
    values,
  );
  const narrowed = rest === undefined ? "" : ` AND ${rest}`;
  const { ofTenant, inFolder } = tenantConditions(tenant.value, values);
  return [`${ofTenant}${narrowed}`, `${inFolder} AND NOT ${ofTenant}${narrowed}`];
}

/** @param wanted whether sessions are looked for that may fulfil the filter, or those that may not */
function conditionFor(filter: SessionFilter, wanted: boolean, values: SqlValues): string | undefined {
  switch (filter.is) {
    case "undecided":
      return undefined;
    case "not":
      return conditionFor(filter.of, !wanted, values);
    case "all":
    case "any":
      return (filter.is === "all") === wanted
        ? everyOf(filter.of, wanted, values)
        : someOf(filter.of, wanted, values);
    default:
      return termCondition(filter, wanted, values);
  }
}

/** To ask whether there is a condition: a parameter that no condition names would have no type. */
const UNUSED: SqlValues = { now: 0, parameter: () => "NULL" };

/** An undecidable term does not narrow the result. */
function everyOf(filters: readonly SessionFilter[], wanted: boolean, values: SqlValues): string | undefined {
  const conditions = filters.flatMap((one) => conditionFor(one, wanted, values) ?? []);
  return conditions.length === 0 ? undefined : `(${conditions.join(" AND ")})`;
}

/** One that cannot be decided lets every session through. */
function someOf(filters: readonly SessionFilter[], wanted: boolean, values: SqlValues): string | undefined {
  if (values !== UNUSED && someOf(filters, wanted, UNUSED) === undefined) return undefined;
  const conditions = filters.map((one) => conditionFor(one, wanted, values));
  if (conditions.includes(undefined)) return undefined;
  return conditions.length === 0 ? "false" : `(${conditions.join(" OR ")})`;
}

function termsOf(filter: SessionFilter): number {
  switch (filter.is) {
    case "not":
      return termsOf(filter.of);
    case "all":
    case "any":
      return filter.of.reduce((sum, one) => sum + termsOf(one), 1);
    default:
      return 1;
  }
}
