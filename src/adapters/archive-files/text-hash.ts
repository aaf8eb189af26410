import { BACKSLASH } from "../archive/packed-format.js";

/** Length in bytes of the texts to find. Of this many consecutive bytes, one text has an entry in the table. */
export const LOOKED_FOR = 32;

export const TABLE_BITS = 20;

const FACTOR = 0x2c9277b5;
const OF_FIRST = Array.from({ length: LOOKED_FOR - 1 }).reduce<number>(
  (power) => Math.imul(power, FACTOR),
  1,
);

/** A rolling hash. It skips backslashes, so that a text has the same hash when it is quoted. */
export class TextHash {
  /** Start of the text: never at a backslash. */
  at = -1;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #hash = 0;
  behind = 0;

  constructor(bytes: Uint8Array, end: number) {
    this.#bytes = bytes;
    this.#end = end;
  }

  moveTo(at: number): boolean {
    let next = at;
    while (next < this.#end && this.#bytes[next] === BACKSLASH) next++;
    const isNext = this.at !== -1 && at === this.at + 1;
    if (isNext) this.#hash = (this.#hash - Math.imul(this.#bytes[this.at]!, OF_FIRST)) | 0;
    else [this.#hash, this.behind] = [0, next];
    this.at = next;
    for (let left = isNext ? 1 : LOOKED_FOR; left > 0; this.behind++) {
      if (this.behind >= this.#end) return false;
      const byte = this.#bytes[this.behind]!;
      if (byte === BACKSLASH) continue;
      this.#hash = (Math.imul(this.#hash, FACTOR) + byte) | 0;
      left--;
    }
    return true;
  }

  get place(): number {
    return Math.imul(this.#hash, 0x9e3779b1) >>> (32 - TABLE_BITS);
  }
}
