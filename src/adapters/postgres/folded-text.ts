/**
 * Returns an expression for lower-case text in SQL. It matches `toLowerCase` for ASCII, the only letters that the collation "C" converts.
 * It also matches for U+0130 and U+212A, the other two characters that `toLowerCase` converts to ASCII. So an ASCII text is matched
 * exactly. Other characters of a filter become wildcards: the inspector compares these sessions again.
 *
 * Indexes use these expressions. After a change, a migration must rebuild the index.
 */
export function folded(column: string): string {
  return `replace(replace(lower(${column} COLLATE "C"), E'\\u212A', 'k'), E'\\u0130', E'i\\u0307')`;
}

/** The last name in a session's folder, whichever separator its system has. */
export const FOLDER_NAME = `regexp_replace(rtrim(${folded("directory")}, E'/\\\\'), E'^.*[/\\\\\\\\]', '')`;

/** Comparison of a filter's text with {@link folded} texts. */
export interface FoldedPattern {
  readonly operator: "=" | "LIKE";
  readonly value: string;
  /** True if it matches only the sessions that the filter selects. */
  readonly isExact: boolean;
}

/** Characters with several spellings in lower case, or in the database. */
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
