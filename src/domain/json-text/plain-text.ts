import { BACKSLASH, QUOTE, SPACE } from "./json-bytes.js";

/** The memory of the bytes read last, as words of four bytes. Kept, because lines of one chunk share it. */
export class Words {
  #memory: ArrayBufferLike = new ArrayBuffer(0);
  #words: Int32Array = new Int32Array(0);

  of({ buffer }: Uint8Array): Int32Array {
    if (buffer !== this.#memory) {
      this.#memory = buffer;
      this.#words = new Int32Array(buffer, 0, buffer.byteLength >>> 2);
    }
    return this.#words;
  }
}

/** By byte: 1 where plain text inside a string ends (a quote, a backslash, a control character), else 0. */
const ENDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === QUOTE || byte === BACKSLASH || byte < SPACE ? 1 : 0,
);

/**
 * The index of the first byte from `from` on that is no plain text of a JSON string; `to` where all is. Long texts are
 * where histories spend their bytes, so it looks at four at a time: whether a word holds a zero byte, or one less than n
 * (Hacker's Delight, chapter 6). The words may say so too often, never too rarely; the bytes then decide.
 *
 * @param shift where `bytes` begins in the memory of `words`
 */
export function endOfPlainText(
  bytes: Uint8Array,
  words: Int32Array,
  shift: number,
  from: number,
  to: number,
): number {
  let i = from;
  for (; i < to && ((i + shift) & 3) !== 0; i++) if (ENDS[bytes[i]!] !== 0) return i;
  const lastWord = (to + shift) >>> 2;
  let word = (i + shift) >>> 2;
  for (; word < lastWord; word++) {
    const four = words[word]!;
    const quote = four ^ 0x22222222;
    const backslash = four ^ 0x5c5c5c5c;
    const ends =
      ((quote - 0x01010101) & ~quote) |
      ((backslash - 0x01010101) & ~backslash) |
      ((four - 0x20202020) & ~four);
    if ((ends & 0x80808080) !== 0) break;
  }
  for (i = Math.max(i, word * 4 - shift); i < to; i++) if (ENDS[bytes[i]!] !== 0) return i;
  return to;
}
