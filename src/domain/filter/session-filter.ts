import { SESSION_STATES } from "../session/session.js";

/** A parsed filter, such as `tenant:acme tool:search error cost:>1 after:yesterday`. */
export type SessionFilter =
  | { readonly is: "all" | "any"; readonly of: readonly SessionFilter[] }
  | { readonly is: "not"; readonly of: SessionFilter }
  | FilterTerm
  | UndecidedTerm;

/** Relative dates are already instants. */
export type FilterTerm = TextTerm | NumberTerm | ErrorTerm;

/** A text in lower case. `*` in an exact text matches any characters. */
export interface TextTerm {
  readonly is: "text";
  readonly field: TextField;
  readonly value: string;
  /** True if the complete text must be equal. */
  readonly isExact: boolean;
}

/** The ends are inclusive; an absent end is infinite. */
export interface NumberTerm {
  readonly is: "number";
  readonly field: NumberField;
  readonly least: number;
  readonly most: number;
  /** True if the ends are excluded. */
  readonly isOpen: boolean;
}

interface ErrorTerm {
  readonly is: "error";
}

/** Replaces a term that the evaluating source cannot decide. */
interface UndecidedTerm {
  readonly is: "undecided";
}

export type TextField = keyof typeof TEXT_FIELDS;
export type NumberField = keyof typeof NUMBER_FIELDS;
export type FilterField = TextField | NumberField;

/** Both ignore case. `part` compares the complete text if the value begins with `=`. */
type Comparison = "exact" | "part";

type Needs = "list" | "facts" | "cost";

interface FieldRow {
  readonly needs: Needs;
  readonly says: string;
}

export const TEXT_FIELDS = {
  text: { needs: "list", compares: "part", says: "part of the id, user, title or prompt" },
  source: { needs: "list", compares: "exact", says: "the source, by its name or key" },
  tenant: { needs: "list", compares: "exact", says: "the tenant, or the project's folder" },
  session: { needs: "list", compares: "exact", says: "the session's id" },
  user: { needs: "list", compares: "exact", says: "the user" },
  status: {
    needs: "list",
    compares: "exact",
    says: `${SESSION_STATES.slice(0, -1).join(", ")} or ${SESSION_STATES.at(-1)}`,
  },
  title: { needs: "list", compares: "part", says: "part of the title" },
  model: { needs: "list", compares: "part", says: "part of the name of a model that was called" },
  label: { needs: "list", compares: "exact", says: "a label of the recorder" },
  tool: { needs: "facts", compares: "exact", says: "a tool that was called" },
  failed: { needs: "facts", compares: "exact", says: "a tool of which a call failed" },
  error: { needs: "facts", compares: "part", says: "part of the text of an error" },
  file: { needs: "facts", compares: "part", says: "part of the path of a file that was read or edited" },
  edited: { needs: "facts", compares: "part", says: "part of the path of a file that was edited" },
  role: { needs: "facts", compares: "exact", says: "the role of a sub-agent" },
} as const satisfies Readonly<Record<string, FieldRow & { readonly compares: Comparison }>>;

export const NUMBER_FIELDS = {
  cost: { needs: "cost", unit: "usd", says: "US dollars" },
  tokens: { needs: "list", unit: "count", says: "tokens: 500, 20k, 1.5M" },
  turns: { needs: "list", unit: "count", says: "turns" },
  errors: { needs: "list", unit: "count", says: "failed calls" },
  duration: { needs: "list", unit: "ms", says: "from the first record to the newest: 30s, 5m, 2h" },
  calls: { needs: "facts", unit: "count", says: "model calls" },
  agents: { needs: "facts", unit: "count", says: "sub-agents" },
  compactions: { needs: "facts", unit: "count", says: "compactions" },
  after: { needs: "list", unit: "instant", says: "active since: 2026-11-01, 7d, yesterday" },
  before: { needs: "list", unit: "instant", says: "begun before: 2026-11-01, 7d, yesterday" },
} as const satisfies Readonly<
  Record<string, FieldRow & { readonly unit: "usd" | "count" | "ms" | "instant" }>
>;

export const FILTER_FIELDS: Readonly<Record<FilterField, FieldRow>> = { ...TEXT_FIELDS, ...NUMBER_FIELDS };

export function needsOf(filter: SessionFilter): ReadonlySet<Needs> {
  switch (filter.is) {
    case "all":
    case "any":
      return new Set(filter.of.flatMap((one) => [...needsOf(one)]));
    case "not":
      return needsOf(filter.of);
    case "error":
      return new Set(["list"]);
    case "undecided":
      return new Set();
    case "text":
    case "number":
      return new Set([FILTER_FIELDS[filter.field].needs]);
    default:
      return filter satisfies never;
  }
}

/** Returns the filter for a source that cannot decide some terms. Its result is false only if the original filter is false. */
export function undecidedWhere(
  filter: SessionFilter,
  isUndecided: (term: FilterTerm) => boolean,
): SessionFilter {
  switch (filter.is) {
    case "all":
    case "any":
      return { is: filter.is, of: filter.of.map((one) => undecidedWhere(one, isUndecided)) };
    case "not":
      return { is: "not", of: undecidedWhere(filter.of, isUndecided) };
    case "undecided":
      return filter;
    case "error":
    case "text":
    case "number":
      return isUndecided(filter) ? { is: "undecided" } : filter;
    default:
      return filter satisfies never;
  }
}
