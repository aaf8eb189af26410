import { BACKSLASH, isQuotedByOne } from "../archive/packed-format.js";

export function sameLength(bytes: Uint8Array, before: number, at: number, end: number): number {
  let length = 0;
  while (at + length < end && bytes[before + length] === bytes[at + length]) length++;
  return length;
}

export function quotedLength(bytes: Uint8Array, before: number, at: number, end: number): number {
  let [from, to] = [before, at];
  while (from < at && to < end) {
    const byte = bytes[from]!;
    if (!isQuotedByOne(byte)) {
      if (bytes[to] !== byte) break;
      to++;
    } else {
      if (to + 1 >= end || bytes[to] !== BACKSLASH || bytes[to + 1] !== byte) break;
      to += 2;
    }
    from++;
  }
  return to - at;
}

export function unquotedLength(bytes: Uint8Array, at: number, length: number): number {
  let unquoted = 0;
  for (let i = 0; i < length; i += bytes[at + i] === BACKSLASH ? 2 : 1) unquoted++;
  return unquoted;
}

export function sameBackwards(bytes: Uint8Array, before: number, at: number, from: number): number {
  let length = 0;
  while (at - length > from && before - length > 0 && bytes[before - length - 1] === bytes[at - length - 1])
    length++;
  return length;
}
