import { termText } from "../../../../src/domain/filter/filter-text.js";
import {
  FILTER_FIELDS,
  type FilterField,
  NUMBER_FIELDS,
  type NumberField,
} from "../../../../src/domain/filter/session-filter.js";
import { SESSION_STATES } from "../../../../src/domain/session/session.js";
import { lastPiece } from "./filter-text.js";
import type { FilterValue, FilterValues } from "./filter-values.js";

export interface FilterSuggestion {
  readonly text: string;
  readonly field: string;
  readonly value: string;
  readonly says: string;
  readonly count: number | undefined;
  readonly isTerm: boolean;
}

export interface FilterSuggestions {
  readonly at: number;
  readonly says: string | undefined;
  readonly offered: readonly FilterSuggestion[];
  /** The first suggestion is probably intended: a partly typed value of a field. */
  readonly isFirstSelected: boolean;
}

/** Values that only an overview has may be missing. */
export type SuggestedValues = Partial<FilterValues> & {
  readonly [field in "tool" | "failed" | "error" | "role"]?: readonly FilterValue[];
};

const MOST_OFFERED = 20;
const MOST_FOR_WORD = 8;

const STATUSES: readonly FilterValue[] = SESSION_STATES.map((value) => ({ value, count: 0 }));

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

export function suggestionsFor(text: string, listed: SuggestedValues): FilterSuggestions {
  const { at, field, text: typed } = lastPiece(text);
  if (field === undefined) {
    return { at, says: undefined, offered: forWord(typed, listed), isFirstSelected: false };
  }
  const offered = isNumberField(field)
    ? NUMBER_EXAMPLES[field]
        .filter(([value]) => value.startsWith(typed) && value !== typed)
        .map(([value, says]) => ({ ...suggestion(field, { value, count: 0 }), says, count: undefined }))
    : matching(valuesOf(field, listed), typed)
        .slice(0, MOST_OFFERED)
        .map((value) => suggestion(field, value));
  const isExact = offered.some(({ value }) => value.toLowerCase() === typed.toLowerCase());
  return {
    at,
    says: FILTER_FIELDS[field].says,
    offered,
    isFirstSelected: typed !== "" && !typed.includes("*") && !isExact && !isNumberField(field),
  };
}

function forWord(word: string, listed: SuggestedValues): FilterSuggestion[] {
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
  const values = (Object.keys(listed) as (keyof SuggestedValues)[]).flatMap((field) =>
    matching(valuesOf(field, listed), typed).map((value) => suggestion(field, value)),
  );
  values.sort((a, b) => (b.count ?? 0) - (a.count ?? 0));
  return [...fields, ...values.slice(0, MOST_FOR_WORD)];
}

function valuesOf(field: FilterField, listed: SuggestedValues): readonly FilterValue[] {
  const values = Object.hasOwn(listed, field) ? (listed[field as keyof SuggestedValues] ?? []) : [];
  if (field !== "status") return values;
  return STATUSES.map((status) => values.find(({ value }) => value === status.value) ?? status);
}

function matching(values: readonly FilterValue[], typed: string): FilterValue[] {
  const wanted = typed.toLowerCase();
  const matching = values.filter(({ value, label = "" }) =>
    `${value}\n${label}`.toLowerCase().includes(wanted),
  );
  const begins = ({ value, label = "" }: FilterValue) =>
    value.toLowerCase().startsWith(wanted) || label.toLowerCase().startsWith(wanted);
  return [...matching.filter(begins), ...matching.filter((value) => !begins(value))];
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
