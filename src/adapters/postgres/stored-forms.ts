import type { SearchQuery } from "../../domain/search/search-query.js";
import { MAY_BE_ESCAPED } from "./search-index.js";

/** Both forms match every record with the text, and perhaps others. */
export interface StoredForms {
  /** PostgreSQL regular expression in ASCII for all JSON spellings of the text. */
  readonly regex: string;
  /** `LIKE` pattern on lower-case records, except odd ones; `undefined` if trigrams do not help. */
  readonly like: string | undefined;
}

/** Only this part of a text is compared: a longer expression costs the server more than it saves. */
const MOST_UNITS = 64;

const SHORT_ESCAPES: { readonly [character: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  "\b": "b",
  "\f": "f",
  "\n": "n",
  "\r": "r",
  "\t": "t",
};

export function storedForms({ text, isExact }: SearchQuery): StoredForms {
  const begin = text.slice(0, MOST_UNITS);
  // Halves of surrogate pairs are separate characters without the flag `u`.
  const characters = begin.match(/[\ud800-\udbff][\udc00-\udfff]|./gs) ?? [];
  return {
    regex: characters.map((character) => anyOf(formsOf(character, isExact))).join(""),
    like: /[a-z0-9]{3}/i.test(begin) ? likePattern(begin) : undefined,
  };
}

function likePattern(text: string): string {
  const parts = text.split(MAY_BE_ESCAPED).filter((part) => part !== "");
  return `%${parts.map((part) => part.replace(/[%_]/g, "\\$&").toLowerCase()).join("%")}%`;
}

function formsOf(character: string, isExact: boolean): string[] {
  if (character.length === 2) return [`\\U${hex(character.codePointAt(0)!, 8)}`, escaped(character)];
  if (/[\ud800-\udfff]/.test(character)) return [escaped(character), "[\\U00010000-\\U0010FFFF]"];
  return (isExact ? [character] : sameInAnyCase(character)).flatMap((variant) => {
    const short = SHORT_ESCAPES[variant];
    const shortForm = short === undefined ? [] : [`\\\\${plain(short)}`];
    const isEscapedAlways = variant < " " || variant === '"' || variant === "\\";
    return [...(isEscapedAlways ? [] : [plain(variant)]), ...shortForm, escaped(variant)];
  });
}

let allCharacters: string | undefined;

function sameInAnyCase(character: string): readonly string[] {
  allCharacters ??= Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join("");
  return allCharacters.match(new RegExp(`\\u${hex(character.charCodeAt(0), 4)}`, "gi"))!;
}

function plain(character: string): string {
  return /[A-Za-z0-9]/.test(character) ? character : `\\u${hex(character.charCodeAt(0), 4)}`;
}

function escaped(character: string): string {
  const digits = (code: number) =>
    hex(code, 4).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return Array.from({ length: character.length }, (_, i) => `\\\\u${digits(character.charCodeAt(i))}`).join(
    "",
  );
}

function anyOf(forms: readonly string[]): string {
  return `(?:${forms.join("|")})`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
