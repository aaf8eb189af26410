import { exactTerm } from "../../../src/domain/filter/filter-text.js";
import type { TextField } from "../../../src/domain/filter/session-filter.js";
import { joinTerms } from "./filter-text.js";

/** Filters of older addresses, and the filter field with the same meaning. */
const OLD_FILTERS = {
  source: "source",
  tenant: "tenant",
  tenantId: "tenant",
  user: "user",
  userId: "user",
  status: "status",
} as const satisfies Readonly<Record<string, TextField>>;

type Query = { readonly [name: string]: string };

/** Converts the older filters of an address's query to terms of the current filter. Returns the same query if it has no older filters. */
export function withoutOldFilters(query: Query): Query {
  const { filter = "", ...others } = query;
  const terms: string[] = [];
  const rest: Record<string, string> = {};
  for (const [name, value] of Object.entries(others)) {
    if (!Object.hasOwn(OLD_FILTERS, name)) rest[name] = value;
    else if (value !== "") terms.push(exactTerm(OLD_FILTERS[name as keyof typeof OLD_FILTERS], value));
  }
  if (Object.keys(rest).length === Object.keys(others).length) return query;
  const joined = joinTerms([filter, ...terms]);
  return joined === "" ? rest : { ...rest, filter: joined };
}
