import { isDigit, MINUS, QUOTE } from "../../domain/json/json-bytes.js";

/**
 * Reads frequent values straight from their bytes. A value in another than the plain form of writers is `undefined`: the caller then
 * parses it in full.
 */

/** At most 15 digits, not negative. */
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

/** `"2026-01-15T12:00:00.000Z"` with its quotes, and the bytes that are not digits. */
const INSTANT_LENGTH = 26;
const SEPARATORS: readonly (readonly [at: number, byte: number])[] = [
  [0, QUOTE],
  [5, MINUS],
  [8, MINUS],
  [11, 0x54],
  [14, 0x3a],
  [17, 0x3a],
  [20, 0x2e],
  [24, 0x5a],
  [25, QUOTE],
];

/** In the form of `Date.prototype.toISOString`; milliseconds since the epoch. */
export function plainInstant(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (from < 0 || to - from !== INSTANT_LENGTH) return undefined;
  for (const [at, byte] of SEPARATORS) if (bytes[from + at] !== byte) return undefined;
  const year = digits(bytes, from + 1, 4);
  const month = digits(bytes, from + 6, 2);
  const day = digits(bytes, from + 9, 2);
  const hour = digits(bytes, from + 12, 2);
  const minute = digits(bytes, from + 15, 2);
  const second = digits(bytes, from + 18, 2);
  const millisecond = digits(bytes, from + 21, 3);
  const isPlain =
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
  if (!isPlain || millisecond < 0) return undefined; // the full parser handles the last days of a month
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let i = from; i < from + count; i++) {
    if (!isDigit(bytes[i]!)) return -1;
    value = value * 10 + (bytes[i]! - 0x30);
  }
  return value;
}
