import type { SearchQuery } from "../../../domain/search/search-query.js";

/** A test of JSON bytes: it accepts every text with the searched string, with any escapes, and perhaps some others. */
export interface BytePattern {
  /** Bytes. */
  readonly longest: number;
  /** @param bytes as Latin-1 text: a character per byte */
  readonly isIn: (bytes: string) => boolean;
  /** @returns start of the first spelling from `from` on; -1 without one */
  readonly next: (bytes: string, from: number) => number;
}

/**
 * @returns `undefined` if any bytes may match: an expression without a required text, or characters that result only from invalid UTF-8
 */
export function bytePatternOf(query: SearchQuery): BytePattern | undefined {
  const literal = query.kind === "text" ? query : literalOf(query.text);
  if (literal === undefined) return undefined;
  const characters = [...longestPlain(literal.text)];
  if (characters.length === 0) return undefined;
  const { isExact } = literal;
  const variants = characters.map((character) => (isExact ? [character] : variantsOf(character)));
  // The flag also equates some bytes above 0x7F: it matches more, never less.
  const flags = isExact ? "" : "i";
  const sourceOf = (formsOf: (character: string) => string[]) =>
    variants.map((ones) => oneOf(ones.flatMap(formsOf), isExact)).join("");
  const rough = new RegExp(`${sourceOf(unescapedForms)}|${anyEscapeOf(variants.flat())}`, flags);
  const complete = new RegExp(sourceOf(allForms), flags);
  const each = new RegExp(complete, `g${flags}`);
  return {
    longest: literal.text.length * ESCAPED_UNIT,
    // Writers rarely escape letters as \uXXXX, and this test costs no more than one for the letters alone.
    isIn: (bytes) => rough.test(bytes) && complete.test(bytes),
    next(bytes, from) {
      each.lastIndex = from;
      return each.exec(bytes)?.index ?? -1;
    },
  };
}

/** `\uXXXX`. */
const ESCAPED_UNIT = 6;

/** Invalid UTF-8 and half a surrogate pair are read as U+FFFD: this is the longest part without them. */
function longestPlain(text: string): string {
  const parts = text.split(/[\p{Surrogate}\ufffd]/u);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** All code units: candidates for case-insensitive equality. */
let units: string | undefined;

/** As the flag `i` of a regular expression without `u` defines equality. */
function variantsOf(character: string): readonly string[] {
  if (character.length > 1) return [character];
  // Outside of ASCII nothing equals a character of ASCII (ECMAScript, Canonicalize).
  if (character < "\x80") return [...new Set([character.toLowerCase(), character.toUpperCase()])];
  units ??= Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join("");
  return units.match(new RegExp(escapeOf(character), "gi")) ?? [];
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

const encoder = new TextEncoder();

/** Omits `\uXXXX`. Parts of a regular expression. */
function unescapedForms(character: string): string[] {
  const short = SHORT_ESCAPES[character];
  const mayStand = character >= " " && character !== '"' && character !== "\\";
  const forms = [...(mayStand ? [character] : []), ...(short === undefined ? [] : [short])];
  return forms.map((form) => Array.from(encoder.encode(form), byteText).join(""));
}

function allForms(character: string): string[] {
  const escaped = hexOf(character).map((hex) => `\\\\u${Array.from(hex, inAnyCase).join("")}`);
  return [...unescapedForms(character), escaped.join("")];
}

/** A class for each digit of `\uXXXX`, because alternatives are slow. */
function anyEscapeOf(characters: readonly string[]): string {
  const hex = characters.flatMap(hexOf);
  const digits = [0, 1, 2, 3].map((i) => new Set(hex.flatMap((one) => [...inAnyCase(one[i]!)])));
  return `\\\\u${digits.map((ones) => `[${[...ones].filter(isWord).join("")}]`).join("")}`;
}

function hexOf(character: string): string[] {
  return character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

function escapeOf(character: string): string {
  return hexOf(character)
    .map((hex) => `\\u${hex}`)
    .join("");
}

function inAnyCase(digit: string): string {
  const capital = digit.toUpperCase();
  return capital === digit ? digit : `[${digit}${capital}]`;
}

function byteText(byte: number): string {
  const character = String.fromCharCode(byte);
  return isWord(character) ? character : `\\x${byte.toString(16).padStart(2, "0")}`;
}

function isWord(character: string): boolean {
  return /^\w$/.test(character);
}

function oneOf(forms: readonly string[], isExact: boolean): string {
  const [one, ...others] = new Set(isExact ? forms : forms.map((form) => form.toLowerCase()));
  return others.length === 0 ? (one ?? "") : `(?:${[one, ...others].join("|")})`;
}

export interface Literal {
  readonly text: string;
  readonly isExact: boolean;
}

/** Only `i` concerns the texts. */
const FLAGS = /^\(\?([imsU]+)\)/;

/** Unsupported syntax: inner flags, quotations, code points by number, classes by name. */
const UNKNOWN = /\(\?[\w-]*\)|\\[^dDwWsSbBAzntrfva\W]|\\\P{ASCII}/u;

const TOKEN = /\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\\.|\{\d+(?:,\d*)?\}|./gsu;

/**
 * The longest text that every match of an expression in RE2's syntax contains: outside of groups, repetitions and alternatives.
 * @returns `undefined` if no text is certain
 */
export function literalOf(expression: string): Literal | undefined {
  const flags = FLAGS.exec(expression);
  const isExact = !flags?.[1]?.includes("i");
  const rest = expression.slice(flags?.[0].length ?? 0);
  if (UNKNOWN.test(rest)) return undefined;
  const texts: string[] = [];
  let text: string[] = [];
  let depth = 0;
  const end = () => {
    texts.push(text.join(""));
    text = [];
  };
  for (const [token] of rest.matchAll(TOKEN)) {
    const literal = textOf(token, isExact);
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (depth === 0 && token === "|") return undefined;
    if (depth === 0 && literal !== undefined) text.push(literal);
    else {
      if (depth === 0 && isOptional(token)) text.pop();
      end();
    }
  }
  end();
  const longest = texts.reduce((best, one) => (one.length > best.length ? one : best));
  return longest === "" ? undefined : { text: longest, isExact };
}

function isOptional(token: string): boolean {
  return token === "*" || token === "?" || (token.startsWith("{") && token.length > 1);
}

function textOf(token: string, isExact: boolean): string | undefined {
  if (/^[()|.^$*+?]$/.test(token) || (token.length > 2 && /^[[{]/.test(token))) return undefined;
  if (/^\\\w/.test(token)) return undefined;
  const character = token.replace(/^\\(?=.)/s, "");
  // Without case RE2 equates more characters than JavaScript: the Kelvin sign with k, the long s with s.
  return isExact || (/^\p{ASCII}$/u.test(character) && !/[ks]/i.test(character)) ? character : undefined;
}
