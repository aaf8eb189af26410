import type { Line } from "../jsonl/line.js";

/** Of a longer line its ends are taken, and its length. */
const HALF = 4 * 1024;

/** How far from its beginning the member of a line is looked for. */
const NEAR = 256;

/** What lines share that differ in the text of one member alone, as a number of 53 bits. */
export function lineKey({ bytes, from, to }: Line, member: string): number {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const mark = `"${member}":"`;
  const found = buffer.subarray(from, Math.min(to, from + NEAR)).indexOf(mark, 0, "latin1");
  const skipFrom = found === -1 ? from : from + found + mark.length;
  const end = found === -1 ? -1 : buffer.indexOf(0x22, skipFrom);
  const skipTo = end === -1 || end >= to ? skipFrom : end;
  const hash = new Hash(to - from - (skipTo - skipFrom));
  hash.add(buffer, from, skipFrom);
  hash.add(buffer, skipTo, Math.min(to, skipTo + HALF));
  hash.add(buffer, Math.max(skipTo + HALF, to - HALF), to);
  return hash.value;
}

/** FNV-1a, twice. */
class Hash {
  #low = 0x811c9dc5;
  #high: number;

  constructor(seed: number) {
    this.#high = 0x9e3779b9 ^ seed;
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    let low = this.#low;
    let high = this.#high;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      low = Math.imul(low ^ byte, 0x01000193);
      high = Math.imul(high ^ byte, 0x85ebca6b);
      high ^= high >>> 13;
    }
    this.#low = low;
    this.#high = high;
  }

  get value(): number {
    return (this.#high >>> 11) * 0x1_0000_0000 + (this.#low >>> 0);
  }
}
