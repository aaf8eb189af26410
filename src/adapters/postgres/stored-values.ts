import type { SessionKey } from "../../domain/session/session-key.js";

/**
 * PostgreSQL's text holds no NUL and no lone surrogate. Such a code unit becomes a mark and four digits of Unicode's internal range
 * (U+FDD0 to U+FDEF), whose characters are escaped too. The spelling is unambiguous, and substrings stay substrings, so that it can be
 * searched.
 */
const MARK = 0xfdd0;
const MARK_TEXT = String.fromCharCode(MARK);
const FIRST_DIGIT = 0xfde0;

export const TEXT_SEPARATOR = "\ufdd1";

// biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL is one of the characters to escape
const UNSTORABLE = /[\u{0}\u{fdd0}-\u{fdef}]|\p{Surrogate}/gu;
const ESCAPED = /\ufdd0[\ufde0-\ufdef]{4}/g;

export function toStoredText(text: string): string {
  return text.replace(UNSTORABLE, (character) => {
    const code = character.charCodeAt(0);
    const digits = [12, 8, 4, 0].map((shift) => FIRST_DIGIT + ((code >> shift) & 0xf));
    return String.fromCharCode(MARK, ...digits);
  });
}

export function fromStoredText(stored: string): string {
  if (!stored.includes(MARK_TEXT)) return stored;
  return stored.replace(ESCAPED, (escaped) => {
    let code = 0;
    for (let i = 1; i < escaped.length; i++) code = code * 16 + (escaped.charCodeAt(i) - FIRST_DIGIT);
    return String.fromCharCode(code);
  });
}

export function idsOf(session: SessionKey): [string, string] {
  return [toStoredText(session.tenantId), toStoredText(session.sessionId)];
}

/** Bytes that sort as `compareText`: UTF-16, high byte first, with a NUL between texts. */
export function toOrderedBytes(...texts: readonly string[]): Buffer {
  return Buffer.from(texts.join("\0"), "utf16le").swap16();
}

/** SQL literal that is independent of the server's setting for backslashes. */
export function literal(text: string): string {
  return ` E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** Parses the server's array format, `{1,2.5,NaN}`. Integers are read digit by digit, to avoid thousands of strings. */
export function toNumbers(array: string | null | undefined, count: number): Float64Array {
  const numbers = new Float64Array(count);
  if (!array) return numbers;
  let from = 1;
  for (let i = 0; i < count && from < array.length; i++) {
    let value = 0;
    let at = from;
    for (; at < array.length; at++) {
      const digit = array.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const isInteger = at > from && at - from <= 15 && isEnd(array, at);
    while (!isEnd(array, at)) at++;
    numbers[i] = isInteger ? value : Number(array.slice(from, at));
    from = at + 1;
  }
  return numbers;
}

const ZERO = "0".charCodeAt(0);

function isEnd(array: string, at: number): boolean {
  return at >= array.length || array[at] === "," || array[at] === "}";
}
