import { jsonIn } from "../../../domain/json/json.js";
import { BACKSLASH, QUOTE } from "../../../domain/json/json-bytes.js";

const WORDS = ["-Infinity", "Infinity", "NaN"].map((word) => Buffer.from(word));

/** Numbers that JSON lacks become texts. */
export function asJson(bytes: Buffer): Buffer {
  if (!WORDS.some((word) => bytes.includes(word))) return bytes;
  const pieces: Buffer[] = [];
  let taken = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
      continue;
    }
    const word = WORDS.find(
      (one) => bytes[i] === one[0] && bytes.compare(one, 0, one.length, i, i + one.length) === 0,
    );
    if (word === undefined) continue;
    pieces.push(bytes.subarray(taken, i), Buffer.from(`"${word.toString()}"`));
    taken = i + word.length;
    i = taken - 1;
  }
  return Buffer.concat([...pieces, bytes.subarray(taken)]);
}

/** `undefined` for invalid text. */
export function parsed(bytes: Buffer): unknown {
  return jsonIn(asJson(bytes).toString("utf8"));
}
