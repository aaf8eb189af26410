import { isDigit, MINUS, ZERO } from "./json-bytes.js";

/** How far into a number (RFC 8259 section 6) the text is. */
export const NUMBER_MINUS = 0;
export const NUMBER_ZERO = 1;
export const NUMBER_INTEGER = 2;
const POINT = 3;
const FRACTION = 4;
const EXPONENT_MARK = 5;
const EXPONENT_SIGN = 6;
const EXPONENT = 7;

/** The part that the next byte leads to; `undefined` where the number does not go on with it. */
export function nextNumberPart(part: number, byte: number): number | undefined {
  if (isDigit(byte)) {
    if (part === NUMBER_MINUS) return byte === ZERO ? NUMBER_ZERO : NUMBER_INTEGER;
    if (part === NUMBER_ZERO) return undefined;
    if (part === POINT) return FRACTION;
    if (part === EXPONENT_MARK || part === EXPONENT_SIGN) return EXPONENT;
    return part;
  }
  const isMantissa = part === NUMBER_ZERO || part === NUMBER_INTEGER;
  if (byte === 0x2e) return isMantissa ? POINT : undefined;
  if (byte === 0x65 || byte === 0x45) return isMantissa || part === FRACTION ? EXPONENT_MARK : undefined;
  if (byte === 0x2b || byte === MINUS) return part === EXPONENT_MARK ? EXPONENT_SIGN : undefined;
  return undefined;
}

/** Whether a number may end there. */
export function isNumberEnd(part: number): boolean {
  return part === NUMBER_ZERO || part === NUMBER_INTEGER || part === FRACTION || part === EXPONENT;
}
