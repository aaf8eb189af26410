import type { FilterProblem } from "../../../src/domain/filter/filter-problem.js";
import { type FilterToken, filterTokens, type WordToken } from "../../../src/domain/filter/filter-tokens.js";
import { parseFilter } from "../../../src/domain/filter/parse-filter.js";
import type { SessionFilter } from "../../../src/domain/filter/session-filter.js";
import { FILTER_FIELDS, type FilterField, TEXT_FIELDS } from "../../../src/domain/filter/session-filter.js";
import { TimeZone } from "../../../src/domain/trace/time-zone.js";

/** A filter while it is typed: the finished terms, and the typed part after them. */
export interface TypedFilter {
  readonly terms: readonly string[];
  readonly draft: string;
}

/** @returns `filter` is `undefined` where nothing is filtered by */
export type ReadFilter = { readonly filter: SessionFilter | undefined } | { readonly problem: FilterProblem };

/** @param zone a name of the IANA database; days are in UTC if the name is invalid */
export function readFilter(text: string, now: number, zone: string): ReadFilter {
  if (text.trim() === "") return { filter: undefined };
  const { filter, problem } = parseFilter(text, clockOf(now, zone));
  return problem === undefined ? { filter } : { problem };
}

type FilterClock = Parameters<typeof parseFilter>[1];

let lastZone: { readonly name: string; readonly zone: TimeZone } | undefined;

/** Made once: making a zone takes longer than reading a filter. */
function clockOf(now: number, name: string): FilterClock {
  if (lastZone?.name !== name) {
    lastZone = { name, zone: TimeZone.named(name) ?? TimeZone.named("UTC")! };
  }
  return { now, zone: lastZone.zone };
}

/**
 * Returns the terms that all have to match, each as it was typed. Splitting alternatives would change their meaning: a filter with an
 * `OR` outside of parentheses is one term.
 *
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

/** A filter that an address names. One that is wrong stays as it was typed, to be mended. */
export function openFilter(text: string, isRight: (text: string) => boolean): TypedFilter {
  return isRight(text) ? { terms: filterTerms(text), draft: "" } : { terms: [], draft: text };
}

/**
 * Returns the filter after a text is typed following the terms: a space finishes a term, and an invalid part stays in the text.
 *
 * @param isRight true if a text is a filter
 */
export function typeDraft(
  { terms }: TypedFilter,
  draft: string,
  isRight: (text: string) => boolean,
): TypedFilter {
  return /\S\s$/.test(draft) ? finish({ terms, draft }, isRight) : { terms, draft };
}

/** All of it as terms, where it is a filter. */
export function finish(typed: TypedFilter, isRight: (text: string) => boolean): TypedFilter {
  const whole = joinTerms([...typed.terms, typed.draft.trim()]);
  const last = filterTokens(typed.draft).at(-1);
  if (last?.kind === "-" || OPERATORS.some((name) => isOperator(last, name)) || !isRight(whole)) return typed;
  return { terms: filterTerms(whole), draft: "" };
}

/**
 * Returns the filter that applies while somebody types: all of it if it is valid, else the terms. A value that has to match exactly is
 * skipped until it is finished, because half of it matches nothing. The beginning of a field's name is skipped too: it is not a search
 * word.
 */
export function filterSoFar({ terms, draft }: TypedFilter, isRight: (text: string) => boolean): string {
  const whole = joinTerms([...terms, draft.trim()]);
  const { field, text } = lastPiece(draft);
  const isHalf =
    field === undefined
      ? mayBecomeField(text)
      : isTextField(field) && TEXT_FIELDS[field].compares === "whole";
  return !isHalf && isRight(whole) ? whole : joinTerms(terms);
}

/** The typed part at the end of a text: a word, or the value of a field. */
export interface TypedPiece {
  /** Its start offset in the text, including its field. */
  readonly at: number;
  /** `undefined` without a field, or if no field has that name. */
  readonly field: FilterField | undefined;
  readonly text: string;
}

export function lastPiece(text: string): TypedPiece {
  const last = filterTokens(text).at(-1);
  const isBehind = last === undefined || last.kind !== "word" || last.at + last.length < text.length;
  if (isBehind) return { at: text.length, field: undefined, text: "" };
  return { at: last.at, field: fieldOf(last), text: last.text };
}

/** Returns the text of a chip: the field separate from its value. */
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
