import type { SessionFilter } from "../../domain/filter/session-filter.js";
import { termCondition } from "./filter-terms.js";
import type { SqlValues } from "./sql-values.js";
import { tenantConditions } from "./text-terms.js";

/** The server plans longer filters too slowly: the inspector applies them. */
const MOST_TERMS = 200;

/**
 * Returns an SQL condition that is true for every session that may match; `undefined` if any may. Undecidable terms may be true or false,
 * also under `not`, so each node has a condition for both results. A condition is never null.
 */
export function filterCondition(filter: SessionFilter, values: SqlValues): string | undefined {
  return termsOf(filter) > MOST_TERMS ? undefined : conditionFor(filter, true, values);
}

/** The same in disjoint parts. Each part can be read in index order. Together they would need a sort of all sessions. */
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

const UNUSED: SqlValues = { now: 0, parameter: () => "NULL" };

function everyOf(filters: readonly SessionFilter[], wanted: boolean, values: SqlValues): string | undefined {
  const conditions = filters.flatMap((one) => conditionFor(one, wanted, values) ?? []);
  return conditions.length === 0 ? undefined : `(${conditions.join(" AND ")})`;
}

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
