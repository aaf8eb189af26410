/**
 * SQL for lower-case text. The collation "C" converts ASCII only; with U+0130 and U+212A, ASCII texts match exactly as with
 * `toLowerCase`. Other characters become wildcards, which the inspector compares again. Indexes use these expressions: after a change, a
 * migration must rebuild them.
 */
export function folded(column: string): string {
  return `replace(replace(lower(${column} COLLATE "C"), E'\\u212A', 'k'), E'\\u0130', E'i\\u0307')`;
}

export const FOLDER_NAME = `regexp_replace(rtrim(${folded("directory")}, E'/\\\\'), E'^.*[/\\\\\\\\]', '')`;

export interface FoldedPattern {
  readonly operator: "=" | "LIKE";
  readonly value: string;
  readonly isExact: boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: of ASCII, the database spells NUL alone in a way of its own
const UNCERTAIN = /[^\x01-\x7f]+/g;

export function exactPattern(text: string): FoldedPattern {
  const isExact = text.search(UNCERTAIN) === -1;
  if (isExact && !text.includes("*")) return { operator: "=", value: text, isExact };
  return { operator: "LIKE", value: likeOf(text).replaceAll("*", "%"), isExact };
}

export function partPattern(text: string): FoldedPattern {
  return { operator: "LIKE", value: `%${likeOf(text)}%`, isExact: text.search(UNCERTAIN) === -1 };
}

function likeOf(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&").replace(UNCERTAIN, "%");
}
