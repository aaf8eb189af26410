import { isDigit, MINUS, QUOTE } from "./json-bytes.js";

/**
 * Reads values that come in nearly every record straight from their bytes. What is not in the plain form that writers use
 * is `undefined`: the caller then parses it in full.
 */

/** A non-negative integer of at most 15 digits. */
export function plainInteger(bytes: Uint8Array, length: number): number | undefined {
  if (length < 1 || length > 15) return undefined;
  let value = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    if (!isDigit(byte)) return undefined;
    value = value * 10 + (byte - 0x30);
  }
  return value;
}

/** Where the digits of `"2026-01-15T12:00:00.000Z"` stand, quotes included, and what stands between them. */
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

/** An instant in ISO 8601 as `Date.prototype.toISOString` writes it, in milliseconds since the epoch. */
export function plainInstant(bytes: Uint8Array, length: number): number | undefined {
  if (length !== INSTANT_LENGTH) return undefined;
  for (const [at, byte] of SEPARATORS) if (bytes[at] !== byte) return undefined;
  const year = digits(bytes, 1, 4);
  const month = digits(bytes, 6, 2);
  const day = digits(bytes, 9, 2);
  const hour = digits(bytes, 12, 2);
  const minute = digits(bytes, 15, 2);
  const second = digits(bytes, 18, 2);
  const millisecond = digits(bytes, 21, 3);
  const isPlain =
    year >= 1970 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 28 &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!isPlain || millisecond < 0) return undefined; // the last days of a month are left to the full parser
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

/** -1 where not all of them are digits. */
function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let i = from; i < from + count; i++) {
    if (!isDigit(bytes[i]!)) return -1;
    value = value * 10 + (bytes[i]! - 0x30);
  }
  return value;
}
