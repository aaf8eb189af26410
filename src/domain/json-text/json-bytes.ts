/** The bytes that JSON's grammar (RFC 8259) is made of. All are ASCII, so UTF-8 text can be read byte by byte. */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const ZERO = 0x30;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const LETTER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

const encoder = new TextEncoder();

export const LITERALS: readonly Uint8Array[] = ["true", "false", "null"].map((word) => encoder.encode(word));

/** What may follow a backslash, besides `u`. */
export const ESCAPABLE: ReadonlySet<number> = new Set(encoder.encode('"\\/bfnrt'));

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}

export function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

export function isWhiteSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}
