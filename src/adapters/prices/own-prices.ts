import type { PriceTable } from "../../application/ports/price-table.js";
import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import { nearestName } from "../../domain/options/nearest-name.js";
import { kindOf } from "../../domain/options/option-kinds.js";
import type { PricedCall, TokenRates } from "../../domain/usage/money.js";

/** In US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default is `input`. */
  readonly cacheRead?: number | undefined;
  /** Default is `input`. */
  readonly cacheWrite?: number | undefined;
  /** For writing to a cache that lasts an hour. Default is `cacheWrite`. */
  readonly cacheWrite1h?: number | undefined;
  /** Start: a day or an instant in UTC, such as `2026-08-01`. Default is always. */
  readonly from?: string | undefined;
}

/**
 * Prices by the recorded model name, ignoring case; `*` stands for any text. A name without `*` has precedence, then the one with most
 * other characters.
 * @example
 * { "my-model": { input: 1, output: 4 }, "gpt-5*": [{ input: 1.25, output: 10 }, { from: "2026-08-01", input: 1, output: 8 }] }
 */
export interface ModelPrices {
  readonly [model: string]: ModelPrice | readonly ModelPrice[];
}

/** Checks only the outer shape; {@link ownPrices} checks the rest. */
export const MODEL_PRICES = kindOf(
  "an object of prices by model, or false",
  (value) => value === false || isJsonObject(value),
);

interface DatedRates {
  readonly from: number;
  readonly rates: TokenRates;
}

interface Rule {
  readonly pattern: NamePattern;
  readonly dated: readonly DatedRates[];
}

const PRICES = ["input", "output", "cacheRead", "cacheWrite", "cacheWrite1h"] as const;
const MEMBERS: readonly string[] = [...PRICES, "from"];
const DAY = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

/**
 * Custom prices have precedence over the other table.
 * @throws TypeError for invalid prices: it names the model and the member
 */
export function ownPrices(prices: ModelPrices, beneath: PriceTable): PriceTable {
  const rules = rulesIn(prices);
  const ownRatesOf = ({ model, at }: PricedCall) => {
    const fitting = rules.find(({ pattern }) => pattern.fits(model));
    return fitting?.dated.find(({ from }) => from <= at)?.rates;
  };
  return {
    source: beneath.source === undefined ? "own prices" : `own prices, and ${beneath.source}`,
    async load() {
      const others = await beneath.load();
      return (call) => ownRatesOf(call) ?? others(call);
    },
  };
}

function rulesIn(prices: unknown): Rule[] {
  if (!isJsonObject(prices)) throw new TypeError("It has to be an object with a member for each model.");
  const rules = Object.entries(prices).map(([name, listed]) => {
    const entries: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
    const dated = entries.map((entry, i) =>
      datedRates(entry, Array.isArray(listed) ? `"${name}", price ${i + 1}` : `"${name}"`),
    );
    return { pattern: new NamePattern(name), dated: dated.sort((a, b) => b.from - a.from) };
  });
  return rules.sort((a, b) => b.pattern.weight - a.pattern.weight);
}

function datedRates(entry: unknown, where: string): DatedRates {
  if (!isJsonObject(entry)) throw new TypeError(`${where}: a price is an object with "input" and "output".`);
  const unknown = Object.keys(entry).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, MEMBERS);
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw new TypeError(
      `${where}: "${unknown}" is no member of a price. They are ${MEMBERS.join(", ")}.${hint}`,
    );
  }
  const rate = (name: (typeof PRICES)[number], otherwise?: number) => rateIn(entry, name, where, otherwise);
  const [input, output] = [rate("input"), rate("output")];
  const cacheWrite = rate("cacheWrite", input);
  const rates = {
    input,
    output,
    cacheRead: rate("cacheRead", input),
    cacheWrite,
    cacheWrite1h: rate("cacheWrite1h", cacheWrite),
  };
  return { from: instantIn(entry, where), rates };
}

function rateIn(entry: JsonObject, name: string, where: string, otherwise: number | undefined): number {
  const value = entry[name];
  if (value === undefined && otherwise !== undefined) return otherwise;
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value / 1e6;
  const description = value === undefined ? "is missing" : `is ${JSON.stringify(value)}`;
  throw new TypeError(
    `${where}: "${name}" ${description}. It has to be a number of US dollars per million tokens.`,
  );
}

function instantIn({ from }: JsonObject, where: string): number {
  if (from === undefined) return Number.NEGATIVE_INFINITY;
  const instant = typeof from === "string" && DAY.test(from) ? Date.parse(from) : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new TypeError(
    `${where}: "from" is ${JSON.stringify(from)}. It has to be a day such as "2026-08-01".`,
  );
}

/** `*` matches any text, ignoring case. It is not a regular expression, so that no name can make it slow. */
export class NamePattern {
  readonly #parts: readonly string[];

  constructor(pattern: string) {
    this.#parts = pattern.toLowerCase().split("*");
  }

  get weight(): number {
    const characters = this.#parts.reduce((sum, part) => sum + part.length, 0);
    return this.#parts.length === 1 ? Number.POSITIVE_INFINITY : characters;
  }

  fits(name: string): boolean {
    const text = name.toLowerCase();
    const [first = "", ...others] = this.#parts;
    const last = others.pop();
    if (last === undefined) return text === first;
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of others) {
      const position = text.indexOf(part, at);
      if (position === -1) return false;
      at = position + part.length;
    }
    return at <= end;
  }
}
