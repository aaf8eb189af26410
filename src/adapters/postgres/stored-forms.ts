import type { SearchQuery } from "../../domain/search/search-query.js";
import { MAY_BE_ESCAPED } from "./search-index.js";

/** Forms for searching a text among stored records. Both match every record that contains it, and perhaps others. */
export interface StoredForms {
  /** A regular expression of PostgreSQL, in ASCII, for all JSON spellings of the text. */
  readonly regex: string;
  /** A pattern for `LIKE` on records in small letters, but for odd ones; `undefined` where trigrams are of no help. */
  readonly like: string | undefined;
}

/** So much of a text is compared with records: a longer expression takes the server longer to make than it saves. */
const MOST_UNITS = 64;

/** JSON's escapes of two characters. */
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
  // Without the flag `u`, half of a surrogate pair is a separate character.
  const characters = begin.match(/[\ud800-\udbff][\udc00-\udfff]|./gs) ?? [];
  return {
    regex: characters.map((character) => anyOf(formsOf(character, isExact))).join(""),
    like: /[a-z0-9]{3}/i.test(begin) ? likePattern(begin) : undefined,
  };
}

/** Replaces characters with several spellings with a wildcard. */
function likePattern(text: string): string {
  const parts = text.split(MAY_BE_ESCAPED).filter((part) => part !== "");
  return `%${parts.map((part) => part.replace(/[%_]/g, "\\$&").toLowerCase()).join("%")}%`;
}

function formsOf(character: string, isExact: boolean): string[] {
  if (character.length === 2) return [`\\U${hex(character.codePointAt(0)!, 8)}`, escaped(character)];
  // In a record, a half without its other half is escaped; with it, the two may stand there as one character.
  if (/[\ud800-\udfff]/.test(character)) return [escaped(character), "[\\U00010000-\\U0010FFFF]"];
  return (isExact ? [character] : sameInAnyCase(character)).flatMap((variant) => {
    const short = SHORT_ESCAPES[variant];
    const shortForm = short === undefined ? [] : [`\\\\${plain(short)}`];
    const isEscapedAlways = variant < " " || variant === '"' || variant === "\\";
    return [...(isEscapedAlways ? [] : [plain(variant)]), ...shortForm, escaped(variant)];
  });
}

/** Every character of one code unit, without halves of pairs, to look for those that differ in case alone. */
let allCharacters: string | undefined;

/** The characters that JavaScript's flag `i`, without `u`, takes for the same. */
function sameInAnyCase(character: string): readonly string[] {
  allCharacters ??= Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join("");
  return allCharacters.match(new RegExp(`\\u${hex(character.charCodeAt(0), 4)}`, "gi"))!;
}

/** A character as itself, in an expression. */
function plain(character: string): string {
  return /[A-Za-z0-9]/.test(character) ? character : `\\u${hex(character.charCodeAt(0), 4)}`;
}

/** Its code units as `\uXXXX`, in an expression. The digits are written in either case, also in mixed. */
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
