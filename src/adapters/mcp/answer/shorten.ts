import { CUT_OFF, isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { quotedJson } from "./quotation.js";

const DEEPEST = 12;

/** Lengths for texts, in characters. The first that makes a value short enough applies. */
const LENGTHS = [20_000, 12_000, 7_200, 4_300, 2_600, 1_560, 930, 560, 330, 200, 120, 72, 40] as const;

/** JSON texts for a fence, complete and in ever shorter forms. */
export interface Shortenable {
  readonly length: number;
  /** @param characters at least {@link SHORTEST} */
  within(characters: number): string;
}

/** Any value can be shortened to this length, in characters. */
export const SHORTEST = 200;

/** @param most longest text of any request; longer texts are not stored */
export function shortenable(value: unknown, most: number): Shortenable {
  const text = jsonTextOf(value)!;
  const texts = text.length <= most ? [new QuotedLater(text)] : [];
  if (text.length > SHORTEST) {
    let last = texts.length === 0 ? most + 1 : text.length;
    for (const length of LENGTHS) {
      const text = JSON.stringify(shortened(value, length));
      if (text.length >= last) continue;
      texts.push(new QuotedLater(text));
      last = text.length;
    }
  }
  const beginning = copyOf(text.slice(0, most));
  return {
    length: text.length <= most ? texts[0]!.within(Number.POSITIVE_INFINITY)!.length : text.length,
    within(characters) {
      for (const text of texts) {
        const quoted = text.within(characters);
        if (quoted !== undefined) return quoted;
      }
      return beginningOnly(beginning, text.length, characters);
    },
  };
}

/** Quotes only a text that may be short enough: to quote hostile text is slow, and makes it no shorter. */
class QuotedLater {
  readonly #text: string;
  #quoted: string | undefined;

  constructor(text: string) {
    this.#text = copyOf(text);
  }

  within(characters: number): string | undefined {
    if (this.#text.length > characters) return undefined;
    this.#quoted ??= quotedJson(this.#text);
    return this.#quoted.length <= characters ? this.#quoted : undefined;
  }
}

/**
 * Short texts stay complete; the others are cut to equal length.
 * @param most at least {@link SHORTEST} for each value
 */
export function fitted(values: readonly Shortenable[], most: number): string[] {
  const within = (each: number) => values.map((value) => value.within(each));
  const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);
  let low = SHORTEST;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (lengthOf(within(middle)) <= most) low = middle;
    else high = middle - 1;
  }
  return within(low);
}

/** For a value of many small parts, which shorter texts do not shorten. Escapes of quotes and hidden characters make it longer. */
function beginningOnly(beginning: string, length: number, characters: number): string {
  for (let most = characters - 80; ; most = Math.floor(most / 2)) {
    const visible = beginning.slice(0, endOfCharacter(beginning, most));
    const text = { beginningOfJson: `${visible}${mark(length - visible.length, "characters")}` };
    const quoted = quotedJson(JSON.stringify(text));
    if (quoted.length <= characters || most < 1) return quoted;
  }
}

/** Shortens texts to `length` and drops parts of lists and objects. Omitted parts are counted. */
export function shortened(value: unknown, length: number, depth = 0): unknown {
  if (typeof value === "string") return shortText(value, length);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return CUT_OFF;
  const parts = Math.max(3, Math.floor(length / 20));
  if (Array.isArray(value)) {
    const visible = value.slice(0, parts).map((element) => shortened(element, length, depth + 1));
    return value.length > parts ? [...visible, mark(value.length - parts, "elements")] : visible;
  }
  return isJsonObject(value) ? shortObject(value, [length, Math.max(16, parts)], depth) : value;
}

function shortObject(object: JsonObject, [length, parts]: readonly [number, number], depth: number): object {
  const names = Object.keys(object);
  const visible = names
    .slice(0, parts)
    .map((name) => [shortText(name, length), shortened(object[name], length, depth + 1)] as const);
  const rest = names.length - parts;
  return Object.fromEntries(rest > 0 ? [...visible, [mark(rest, "members"), null]] : visible);
}

function shortText(text: string, length: number): string {
  if (text.length <= length + 24) return text;
  const end = endOfCharacter(text, length);
  return text.slice(0, end) + mark(text.length - end, "characters");
}

function mark(count: number, what: string): string {
  return `…[+${count} ${what}]`;
}

/** Avoids cutting a surrogate pair in halves. */
export function endOfCharacter(text: string, end: number): number {
  const isBetween = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1));
  return isBetween ? end - 1 : end;
}

/** A substring would hold all of its parent string in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
