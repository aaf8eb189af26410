import { nearestName } from "../options/nearest-name.js";
import { type FilterProblem, problemAt } from "./filter-problem.js";
import { type FilterClock, termOf } from "./filter-terms.js";
import { type FilterToken, filterTokens, type WordToken } from "./filter-tokens.js";
import { FILTER_FIELDS, type FilterField, type SessionFilter } from "./session-filter.js";

export type ParsedFilter =
  | { readonly filter: SessionFilter; readonly problem: undefined }
  | { readonly filter: undefined; readonly problem: FilterProblem };

const MOST_TERMS = 100;
const MOST_LEVELS = 20;

/**
 * All terms must hold. `OR` binds less than the conjunction; `-` or `NOT` inverts a term.
 * @example parseFilter('tool:search cost:>1 -status:running', { now: Date.now(), zone })
 */
export function parseFilter(text: string, clock: FilterClock): ParsedFilter {
  try {
    return { filter: new FilterReader(filterTokens(text), text.length, clock).read(), problem: undefined };
  } catch (error) {
    if (error instanceof NoFilter) return { filter: undefined, problem: error.problem };
    throw error;
  }
}

/** Never leaves this module. */
class NoFilter extends Error {
  readonly problem: FilterProblem;

  constructor(problem: FilterProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

class FilterReader {
  readonly #tokens: readonly FilterToken[];
  readonly #end: number;
  readonly #clock: FilterClock;
  #at = 0;
  #terms = 0;

  constructor(tokens: readonly FilterToken[], end: number, clock: FilterClock) {
    this.#tokens = tokens;
    this.#end = end;
    this.#clock = clock;
  }

  read(): SessionFilter {
    const filter = this.#alternatives(0);
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw new NoFilter(problemAt(rest, 'A ")" closes nothing.'));
    return filter;
  }

  #alternatives(depth: number): SessionFilter {
    const of = [this.#conditions(depth)];
    while (this.#isWord("OR")) {
      const operator = this.#tokens[this.#at++]!;
      const [before] = of.slice(-1);
      if (isEmpty(before!)) throw new NoFilter(problemAt(operator, "There is nothing before OR."));
      const next = this.#conditions(depth);
      if (isEmpty(next)) throw new NoFilter(problemAt(operator, "OR needs a term after it."));
      of.push(next);
    }
    return of.length === 1 ? of[0]! : { is: "any", of };
  }

  #conditions(depth: number): SessionFilter {
    const of: SessionFilter[] = [];
    for (;;) {
      while (this.#isWord("AND")) this.#at++;
      const token = this.#tokens[this.#at];
      if (token === undefined || token.kind === ")" || this.#isWord("OR")) break;
      of.push(this.#condition(token, depth));
    }
    return of.length === 1 ? of[0]! : { is: "all", of };
  }

  #condition(token: FilterToken, depth: number): SessionFilter {
    this.#at++;
    if (token.kind === "-" || (token.kind === "word" && !token.isQuoted && token.text === "NOT")) {
      const negated = this.#tokens[this.#at];
      if (negated === undefined || negated.kind === ")")
        throw new NoFilter(problemAt(token, `${token.kind === "-" ? "-" : "NOT"} needs a term after it.`));
      if (depth >= MOST_LEVELS) throw new NoFilter(problemAt(token, TOO_DEEP));
      return { is: "not", of: this.#condition(negated, depth + 1) };
    }
    if (token.kind === "(") {
      if (depth >= MOST_LEVELS) throw new NoFilter(problemAt(token, TOO_DEEP));
      const inner = this.#alternatives(depth + 1);
      if (this.#tokens[this.#at]?.kind !== ")")
        throw new NoFilter(problemAt(token, 'This "(" is not closed.'));
      this.#at++;
      return inner;
    }
    if (token.kind !== "word") throw new NoFilter(problemAt(token, 'A ")" closes nothing.'));
    if (++this.#terms > MOST_TERMS)
      throw new NoFilter(problemAt(token, `There are more than ${MOST_TERMS} terms.`));
    return this.#term(token);
  }

  #term(token: WordToken): SessionFilter {
    if (token.isOpen)
      throw new NoFilter({
        at: token.at,
        length: this.#end - token.at,
        message: "A quotation mark is not closed.",
      });
    if (token.field === undefined) {
      if (!token.isQuoted && token.text.toLowerCase() === "error") return { is: "error" };
      return { is: "text", field: "text", value: token.text.toLowerCase(), isExact: false };
    }
    const field = token.field.toLowerCase();
    if (!isField(field)) {
      const nearest = nearestName(field, NAMES);
      const complete = { at: token.at, length: token.field.length };
      const hint = nearest === undefined ? `Fields are ${NAMES.join(", ")}.` : `Is it "${nearest}"?`;
      throw new NoFilter(problemAt(complete, `There is no field "${token.field}". ${hint}`, nearest));
    }
    const read = termOf(field, token, this.#clock);
    if ("message" in read) throw new NoFilter(read);
    return read;
  }

  #isWord(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === "word" && !token.isQuoted && token.field === undefined && token.text === text;
  }
}

const TOO_DEEP = `Parentheses are nested deeper than ${MOST_LEVELS}.`;

const NAMES = Object.keys(FILTER_FIELDS).filter((name) => name !== "text");

function isField(name: string): name is FilterField {
  return NAMES.includes(name);
}

function isEmpty(filter: SessionFilter): boolean {
  return filter.is === "all" && filter.of.length === 0;
}
