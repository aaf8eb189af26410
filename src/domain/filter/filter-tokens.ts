export type FilterToken = WordToken | SignToken;

interface Place {
  readonly at: number;
  readonly length: number;
}

interface SignToken extends Place {
  readonly kind: "(" | ")" | "-";
}

export interface WordToken extends Place {
  readonly kind: "word";
  readonly field: string | undefined;
  readonly text: string;
  readonly isQuoted: boolean;
  /** True if its closing quotation mark is missing. */
  readonly isOpen: boolean;
  readonly textAt: number;
}

const TOKEN = /\s+|[()]|-(?=\S)|(?:([A-Za-z]+):)?(?:"((?:[^"\\]|\\[\s\S])*)("?)|([^\s()"]*))/gy;

/** Never fails: `parseFilter` reports errors. */
export function filterTokens(text: string): FilterToken[] {
  const tokens: FilterToken[] = [];
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const [token = "", field, quoted, close, plain = ""] = TOKEN.exec(text) ?? [];
    const length = Math.max(1, token.length);
    if (token === "(" || token === ")" || (token === "-" && quoted === undefined)) {
      tokens.push({ kind: token, at, length });
    } else if (token.trim() !== "") {
      const isQuoted = quoted !== undefined;
      const value = isQuoted ? quoted.replace(/\\([\s\S])/g, "$1") : plain;
      const textAt = at + (field === undefined ? 0 : field.length + 1) + (isQuoted ? 1 : 0);
      tokens.push({
        kind: "word",
        at,
        length,
        field,
        text: value,
        isQuoted,
        isOpen: isQuoted && close === "",
        textAt,
      });
    }
    at += length;
  }
  return tokens;
}
