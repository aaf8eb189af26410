import { termText } from "../../../src/domain/filter/filter-text.js";
import {
  FILTER_FIELDS,
  type FilterField,
  NUMBER_FIELDS,
  type NumberField,
} from "../../../src/domain/filter/session-filter.js";
import { lastPiece } from "./filter-text.js";
import type { FilterValue, FilterValues } from "./filter-values.js";

/** Something to take instead of what is being typed. */
export interface FilterSuggestion {
  /** The text that it puts at the end. */
  readonly text: string;
  readonly field: string;
  /** Empty for a field alone. */
  readonly value: string;
  /** Its meaning, if there is no number of sessions. */
  readonly says: string;
  /** In how many sessions it is. */
  readonly count: number | undefined;
  /** True if it completes the term. */
  readonly isTerm: boolean;
}

export interface FilterSuggestions {
  /** Start offset of the typed part in the text. */
  readonly at: number;
  /** Of the field whose value is being typed: what it means. */
  readonly says: string | undefined;
  readonly offered: readonly FilterSuggestion[];
  /** True if the first suggestion is probably the intended choice: the value of a field that is typed in part. */
  readonly isFirstMeant: boolean;
}

/** Available values of fields. Those that only an overview has may be missing. */
export type KnownValues = Partial<FilterValues> & {
  readonly [field in "tool" | "failed" | "error" | "role"]?: readonly FilterValue[];
};

const MOST_OFFERED = 20;
/** Maximum number of values suggested for a word without a field. */
const MOST_FOR_WORD = 8;

const STATUSES: readonly FilterValue[] = ["waiting", "running", "error", "idle"].map((value) => ({
  value,
  count: 0,
}));

/** Examples of values, by what they count: nobody has to know how they are written. */
const NUMBER_EXAMPLES: { readonly [field in NumberField]: readonly (readonly [string, string])[] } = {
  cost: [
    [">1", "more than $1"],
    [">10", "more than $10"],
    ["1..5", "from $1 to $5"],
  ],
  tokens: [
    [">100k", "more than 100,000"],
    [">1M", "more than a million"],
  ],
  turns: [
    [">10", "more than ten"],
    ["1", "one"],
  ],
  errors: [
    [">0", "any"],
    [">5", "more than five"],
  ],
  duration: [
    [">10m", "more than ten minutes"],
    [">1h", "more than an hour"],
    ["<1m", "less than a minute"],
  ],
  calls: [[">50", "more than fifty"]],
  agents: [[">0", "any"]],
  compactions: [[">0", "any"]],
  after: [
    ["today", "since midnight"],
    ["yesterday", "since yesterday's midnight"],
    ["7d", "in the last seven days"],
    ["30d", "in the last thirty days"],
  ],
  before: [
    ["today", "before midnight"],
    ["7d", "more than seven days ago"],
    ["30d", "more than thirty days ago"],
  ],
};

/** Returns suggestions for the typed part at the end of a text. */
export function suggestionsFor(text: string, known: KnownValues): FilterSuggestions {
  const { at, field, text: typed } = lastPiece(text);
  if (field === undefined) {
    return { at, says: undefined, offered: forWord(typed, known), isFirstMeant: false };
  }
  const offered = isNumberField(field)
    ? NUMBER_EXAMPLES[field]
        .filter(([value]) => value.startsWith(typed) && value !== typed)
        .map(([value, says]) => ({ ...suggestion(field, { value, count: 0 }), says, count: undefined }))
    : matching(valuesOf(field, known), typed)
        .slice(0, MOST_OFFERED)
        .map((value) => suggestion(field, value));
  const isExact = offered.some(({ value }) => value.toLowerCase() === typed.toLowerCase());
  return {
    at,
    says: FILTER_FIELDS[field].says,
    offered,
    isFirstMeant: typed !== "" && !typed.includes("*") && !isExact && !isNumberField(field),
  };
}

function forWord(word: string, known: KnownValues): FilterSuggestion[] {
  const typed = word.toLowerCase();
  const fields = Object.entries(FILTER_FIELDS)
    .filter(([name]) => name !== "text" && name.startsWith(typed))
    .map(([name, { says }]) => ({
      text: `${name}:`,
      field: `${name}:`,
      value: "",
      says,
      count: undefined,
      isTerm: false,
    }));
  if (typed === "") return fields;
  const values = (Object.keys(known) as (keyof KnownValues)[]).flatMap((field) =>
    matching(valuesOf(field, known), typed).map((value) => suggestion(field, value)),
  );
  values.sort((a, b) => (b.count ?? 0) - (a.count ?? 0));
  return [...fields, ...values.slice(0, MOST_FOR_WORD)];
}

function valuesOf(field: FilterField, known: KnownValues): readonly FilterValue[] {
  const values = Object.hasOwn(known, field) ? (known[field as keyof KnownValues] ?? []) : [];
  if (field !== "status") return values;
  return STATUSES.map((status) => values.find(({ value }) => value === status.value) ?? status);
}

/** Those that begin with what is typed come first. */
function matching(values: readonly FilterValue[], typed: string): FilterValue[] {
  const wanted = typed.toLowerCase();
  const found = values.filter(({ value, label = "" }) => `${value}\n${label}`.toLowerCase().includes(wanted));
  const begins = ({ value, label = "" }: FilterValue) =>
    value.toLowerCase().startsWith(wanted) || label.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((value) => !begins(value))];
}

function suggestion(field: FilterField, { value, label, count }: FilterValue): FilterSuggestion {
  return {
    text: termText(field, value),
    field: `${field}:`,
    value,
    says: label ?? "",
    count,
    isTerm: true,
  };
}

function isNumberField(field: FilterField): field is NumberField {
  return Object.hasOwn(NUMBER_FIELDS, field);
}
