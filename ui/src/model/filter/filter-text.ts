import type { FilterProblem } from "../../../../src/domain/filter/filter-problem.js";
import {
  type FilterToken,
  filterTokens,
  type WordToken,
} from "../../../../src/domain/filter/filter-tokens.js";
import { parseFilter } from "../../../../src/domain/filter/parse-filter.js";
import type { SessionFilter } from "../../../../src/domain/filter/session-filter.js";
import {
  FILTER_FIELDS,
  type FilterField,
  TEXT_FIELDS,
} from "../../../../src/domain/filter/session-filter.js";
import { TimeZone } from "../../../../src/domain/trace/time-zone.js";

export interface TypedFilter {
  readonly terms: readonly string[];
  readonly draft: string;
}

/** `filter` is `undefined` without a filter. */
export type ReadFilter = { readonly filter: SessionFilter | undefined } | { readonly problem: FilterProblem };

/** @param zone IANA name; days are in UTC if it is invalid */
export function readFilter(text: string, now: number, zone: string): ReadFilter {
  if (text.trim() === "") return { filter: undefined };
  const { filter, problem } = parseFilter(text, clockOf(now, zone));
  return problem === undefined ? { filter } : { problem };
}

type FilterClock = Parameters<typeof parseFilter>[1];

let lastZone: { readonly name: string; readonly zone: TimeZone } | undefined;

/** Cached: making a zone takes longer than reading a filter. */
function clockOf(now: number, name: string): FilterClock {
  if (lastZone?.name !== name) {
    lastZone = { name, zone: TimeZone.named(name) ?? TimeZone.named("UTC")! };
  }
  return { now, zone: lastZone.zone };
}

/**
 * Terms that all have to match, as typed. A filter with an `OR` outside of parentheses is one term, because splitting would change its
 * meaning.
 * @example filterTerms('tenant:acme -(a OR b)') // ["tenant:acme", "-(a OR b)"]
 */
export function filterTerms(text: string): string[] {
  const terms: string[] = [];
  let depth = 0;
  let from: number | undefined;
  for (const token of filterTokens(text)) {
    const isOutside = depth === 0;
    if (isOutside && isOperator(token, "OR")) return [text.trim()];
    if (isOutside && isOperator(token, "AND")) continue;
    from ??= token.at;
    if (token.kind === "(") depth++;
    if (token.kind === ")") depth = Math.max(0, depth - 1);
    if (depth > 0 || token.kind === "-" || isOperator(token, "NOT")) continue;
    terms.push(text.slice(from, token.at + token.length));
    from = undefined;
  }
  if (from !== undefined) terms.push(text.slice(from).trim());
  return terms;
}

export function joinTerms(terms: readonly string[]): string {
  return terms.filter((term) => term !== "").join(" ");
}

export function openFilter(text: string, isRight: (text: string) => boolean): TypedFilter {
  return isRight(text) ? { terms: filterTerms(text), draft: "" } : { terms: [], draft: text };
}

/**
 * A space finishes a term; an invalid part stays in the text.
 * @param isRight true if a text is a filter
 */
export function typeDraft(
  { terms }: TypedFilter,
  draft: string,
  isRight: (text: string) => boolean,
): TypedFilter {
  return /\S\s$/.test(draft) ? finish({ terms, draft }, isRight) : { terms, draft };
}

export function finish(typed: TypedFilter, isRight: (text: string) => boolean): TypedFilter {
  const joined = joinTerms([...typed.terms, typed.draft.trim()]);
  const last = filterTokens(typed.draft).at(-1);
  if (last?.kind === "-" || OPERATORS.some((name) => isOperator(last, name)) || !isRight(joined))
    return typed;
  return { terms: filterTerms(joined), draft: "" };
}

/**
 * The filter during typing: all of it if valid, else the terms. Skips an unfinished exact value, because half of it matches nothing, and
 * the beginning of a field's name, which is no search word.
 */
export function filterSoFar({ terms, draft }: TypedFilter, isRight: (text: string) => boolean): string {
  const joined = joinTerms([...terms, draft.trim()]);
  const { field, text } = lastPiece(draft);
  const isHalf =
    field === undefined
      ? mayBecomeField(text)
      : isTextField(field) && TEXT_FIELDS[field].compares === "exact";
  return !isHalf && isRight(joined) ? joined : joinTerms(terms);
}

export interface TypedPiece {
  /** In the text, including its field. */
  readonly at: number;
  /** `undefined` if no field has that name. */
  readonly field: FilterField | undefined;
  readonly text: string;
}

export function lastPiece(text: string): TypedPiece {
  const last = filterTokens(text).at(-1);
  const isBehind = last === undefined || last.kind !== "word" || last.at + last.length < text.length;
  if (isBehind) return { at: text.length, field: undefined, text: "" };
  return { at: last.at, field: fieldOf(last), text: last.text };
}

export function chipParts(term: string): { readonly field: string; readonly value: string } {
  const [, field = "", value = term] = /^(-?[A-Za-z]+:)(?=.)([\s\S]*)$/.exec(term) ?? [];
  return { field, value: value.replace(/^"([^"\\]*)"$/, "$1") };
}

function mayBecomeField(word: string): boolean {
  const typed = word.toLowerCase();
  return (
    typed !== "" && typed !== "error" && Object.keys(FILTER_FIELDS).some((name) => name.startsWith(typed))
  );
}

const OPERATORS = ["OR", "AND", "NOT"] as const;

function isOperator(token: FilterToken | undefined, name: (typeof OPERATORS)[number]): boolean {
  return token?.kind === "word" && !token.isQuoted && token.field === undefined && token.text === name;
}

function fieldOf({ field }: WordToken): FilterField | undefined {
  const name = field?.toLowerCase() ?? "";
  return Object.hasOwn(FILTER_FIELDS, name) && name !== "text" ? (name as FilterField) : undefined;
}

function isTextField(field: FilterField): field is keyof typeof TEXT_FIELDS {
  return Object.hasOwn(TEXT_FIELDS, field);
}
