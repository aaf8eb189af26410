/**
 * PostgreSQL keeps no NUL in text, and no half of a surrogate pair; JavaScript's strings may hold both. Ids, users and titles
 * are therefore spelled so that they survive: such a code unit becomes a mark and four digits, all of them from the 32
 * characters that Unicode reserves for a program's own use (U+FDD0 to U+FDEF). Those characters themselves are spelled the
 * same way, so that the spelling is unambiguous, and a part of a text is spelled as a part of its spelling.
 */
const MARK = 0xfdd0;
const MARK_TEXT = String.fromCharCode(MARK);
const FIRST_DIGIT = 0xfde0;

/** Lies between texts that are searched together: no text is spelled with it. */
export const TEXT_SEPARATOR = "\ufdd1";

// biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL is what this is about
const UNSTORABLE = /[\u{0}\u{fdd0}-\u{fdef}]|\p{Surrogate}/gu;
const SPELLED = /\ufdd0[\ufde0-\ufdef]{4}/g;

export function toStoredText(text: string): string {
  return text.replace(UNSTORABLE, (character) => {
    const code = character.charCodeAt(0);
    const digits = [12, 8, 4, 0].map((shift) => FIRST_DIGIT + ((code >> shift) & 0xf));
    return String.fromCharCode(MARK, ...digits);
  });
}

export function fromStoredText(stored: string): string {
  if (!stored.includes(MARK_TEXT)) return stored;
  return stored.replace(SPELLED, (spelling) => {
    let code = 0;
    for (let i = 1; i < spelling.length; i++) code = code * 16 + (spelling.charCodeAt(i) - FIRST_DIGIT);
    return String.fromCharCode(code);
  });
}

/** Bytes whose order is that of `compareText`: UTF-16, high byte first, a NUL between the texts. */
export function toOrderedBytes(...texts: readonly string[]): Buffer {
  return Buffer.from(texts.join("\0"), "utf16le").swap16();
}
