/**
 * Texts in small letters, in SQL: what `toLowerCase` makes of ASCII, whose letters are all that the collation "C" knows, and of the two
 * other characters of which it makes ASCII, U+0130 and U+212A. So a text in ASCII is found exactly. Where a filter has other characters,
 * anything may stand in their place: the inspector compares these sessions again.
 *
 * Indexes are made of these expressions: where one is changed, a migration has to make its index anew.
 */
export function folded(column: string): string {
  return `replace(replace(lower(${column} COLLATE "C"), E'\\u212A', 'k'), E'\\u0130', E'i\\u0307')`;
}

/** The last name in a session's folder, whichever separator its system has. */
export const FOLDER_NAME = `regexp_replace(rtrim(${folded("directory")}, E'/\\\\'), E'^.*[/\\\\\\\\]', '')`;

/** How a text of a filter is compared with {@link folded} ones. */
export interface FoldedPattern {
  readonly operator: "=" | "LIKE";
  readonly value: string;
  /** Whether it fits nothing but what the filter means. */
  readonly isExact: boolean;
}

/** What is spelled in several ways in small letters, or in the database. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: of ASCII, the database spells NUL alone in a way of its own
const UNCERTAIN = /[^\x01-\x7f]+/g;

/** All of a text, in small letters; `*` stands for any characters. */
export function wholePattern(text: string): FoldedPattern {
  const isExact = text.search(UNCERTAIN) === -1;
  if (isExact && !text.includes("*")) return { operator: "=", value: text, isExact };
  return { operator: "LIKE", value: likeOf(text).replaceAll("*", "%"), isExact };
}

/** A part of a text, in small letters. */
export function partPattern(text: string): FoldedPattern {
  return { operator: "LIKE", value: `%${likeOf(text)}%`, isExact: text.search(UNCERTAIN) === -1 };
}

function likeOf(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&").replace(UNCERTAIN, "%");
}
