import { BACKSLASH, QUOTE } from "../../domain/json-text/json-bytes.js";

/** How many bytes of a string are kept, and how many of the whole text. */
const KEPT_OF_STRING = 4 * 1024;
const KEPT_OF_TEXT = 1 << 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A copy of a long JSON text whose long strings are cut, made piece by piece: the structure of a record with a huge value
 * stays readable in bounded memory. A cut string ends with how many bytes of it are missing.
 */
export class ShortenedJson {
  #parts: Uint8Array[] = [];
  #size = 0;
  #inString = false;
  #escaped = false;
  /** Bytes of the present string so far, and how many of them were left out. */
  #length = 0;
  #missing = 0;

  reset(): void {
    this.#parts = [];
    this.#size = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#length = 0;
    this.#missing = 0;
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    let keptFrom = from;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      if (!this.#inString) {
        if (byte === QUOTE) this.#inString = true;
        continue;
      }
      if (byte === QUOTE && !this.#escaped) {
        if (this.#missing > 0) {
          this.#keep(encoder.encode(` … ${this.#missing} bytes more`));
          keptFrom = i;
        }
        this.#inString = false;
        this.#length = 0;
        this.#missing = 0;
        continue;
      }
      // Cut only in front of a character that stands alone: not in an escape, not inside of a UTF-8 sequence.
      const isWhole = !this.#escaped && (byte & 0xc0) !== 0x80 && this.#length >= KEPT_OF_STRING;
      if (this.#missing === 0 && isWhole) this.#keep(bytes.slice(keptFrom, i));
      if (this.#missing > 0 || isWhole) this.#missing++;
      this.#length++;
      this.#escaped = byte === BACKSLASH && !this.#escaped;
    }
    if (this.#missing === 0) this.#keep(bytes.slice(keptFrom, to));
  }

  /** What `JSON.parse` gives for the copy; `undefined` where it is no JSON, or is long without its strings. */
  parse(): unknown {
    if (this.#size > KEPT_OF_TEXT) return undefined;
    try {
      return JSON.parse(decoder.decode(Buffer.concat(this.#parts)));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size <= KEPT_OF_TEXT) this.#parts.push(bytes);
  }
}
