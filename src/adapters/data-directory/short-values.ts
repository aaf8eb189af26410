import { isDigit, MINUS, QUOTE } from "../../domain/json/json-bytes.js";

/**
 * Reads frequent JSON values (integers and timestamps) from their bytes, faster than a JSON parser. The range `from` to `to` is negative
 * for an absent field. The result is `undefined` unless the value has the usual form; the caller then uses the full parser.
 */

/** At most 15 digits, which a number represents exactly; not negative. */
export function plainInteger(bytes: Uint8Array, from: number, to: number): number | undefined {
  const length = to - from;
  if (from < 0 || length < 1 || length > 15) return undefined;
  let value = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (!isDigit(byte)) return undefined;
    value = value * 10 + (byte - 0x30);
  }
  return value;
}

/** Length of `"2026-01-15T12:00:00.000Z"` with its quotes, in bytes. */
const INSTANT_LENGTH = 26;
/** The bytes of such a timestamp that are not digits. */
const SEPARATORS: readonly (readonly [offset: number, byte: number])[] = [
  [0, QUOTE],
  [5, MINUS],
  [8, MINUS],
  [11, 0x54], // T
  [14, 0x3a], // :
  [17, 0x3a], // :
  [20, 0x2e], // .
  [24, 0x5a], // Z
  [25, QUOTE],
];

/**
 * Accepts only the form of `Date.prototype.toISOString`.
 * @returns milliseconds since the epoch
 */
export function plainInstant(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (from < 0 || to - from !== INSTANT_LENGTH) return undefined;
  for (const [offset, byte] of SEPARATORS) if (bytes[from + offset] !== byte) return undefined;
  const year = digits(bytes, from + 1, 4);
  const month = digits(bytes, from + 6, 2);
  const day = digits(bytes, from + 9, 2);
  const hour = digits(bytes, from + 12, 2);
  const minute = digits(bytes, from + 15, 2);
  const second = digits(bytes, from + 18, 2);
  const millisecond = digits(bytes, from + 21, 3);
  // The full parser handles the days after the 28th, because they depend on the month.
  const isInRange =
    year >= 1970 &&
    year < 9999 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 28 &&
    hour >= 0 &&
    hour < 24 &&
    minute >= 0 &&
    minute < 60 &&
    second >= 0 &&
    second < 60;
  if (!isInRange || millisecond < 0) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

/** Value of the digits; -1 if another byte is among them. */
function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let i = from; i < from + count; i++) {
    if (!isDigit(bytes[i]!)) return -1;
    value = value * 10 + (bytes[i]! - 0x30);
  }
  return value;
}
