/** Bytes of JSON's grammar (RFC 8259). All are ASCII, so a reader of UTF-8 can go byte by byte. */
const TAB = 0x09;
export const LF = 0x0a;
const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
const ZERO = 0x30;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const LETTER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

const encoder = new TextEncoder();
const LITERALS: readonly Uint8Array[] = ["true", "false", "null"].map((word) => encoder.encode(word));
const ESCAPABLE: ReadonlySet<number> = new Set(encoder.encode('"\\/bfnrt'));

/** Excludes `u`. */
export function isEscapable(byte: number): boolean {
  return ESCAPABLE.has(byte);
}

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}

export function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

export function isWhiteSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

/** -1 without a number, `true`, `false` or `null` at `from`. */
export function endOfScalar(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from]!;
  if (first === MINUS || isDigit(first)) return endOfNumber(bytes, from, to);
  const word = LITERALS.find((literal) => literal[0] === first);
  if (word === undefined || from + word.length > to) return -1;
  for (let i = 0; i < word.length; i++) if (bytes[from + i] !== word[i]) return -1;
  return from + word.length;
}

/** RFC 8259 section 6. */
function endOfNumber(bytes: Uint8Array, from: number, to: number): number {
  const integer = bytes[from] === MINUS ? from + 1 : from;
  let i = endOfDigits(bytes, integer, to);
  if (i === integer || (bytes[integer] === ZERO && i > integer + 1)) return -1;
  if (i < to && bytes[i] === 0x2e) {
    const fraction = i + 1;
    i = endOfDigits(bytes, fraction, to);
    if (i === fraction) return -1;
  }
  if (i < to && (bytes[i] === 0x65 || bytes[i] === 0x45)) {
    const sign = i + 1;
    const exponent = sign < to && (bytes[sign] === 0x2b || bytes[sign] === MINUS) ? sign + 1 : sign;
    i = endOfDigits(bytes, exponent, to);
    if (i === exponent) return -1;
  }
  return i;
}

function endOfDigits(bytes: Uint8Array, from: number, to: number): number {
  let i = from;
  while (i < to && isDigit(bytes[i]!)) i++;
  return i;
}
