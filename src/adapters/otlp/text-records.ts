import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { isPause } from "../../domain/lists/is-pause.js";
import { ByteFingerprint } from "../../domain/text/fingerprints.js";

export interface RecordTexts {
  readonly text: Uint8Array;
  readonly ends: Float64Array;
}

/** Approximate; a batch has at least one record. */
const BATCH_BYTES = 256 * 1024;

const COMMA = 0x2c;

const FIRST_BYTES = 4 * 1024;

/** Records as JSON text outside the heap. */
export class TextRecords {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;
  readonly #ends: number[] = [];

  add(record: object): void {
    const text = jsonTextOf(record)!;
    // Any character takes at most three bytes, and most take one.
    if (this.#used + text.length * 3 > this.#bytes.length) this.#makeRoom(Buffer.byteLength(text));
    this.#used += this.#bytes.write(text, this.#used, "utf8");
    this.#ends.push(this.#used);
  }

  get bytes(): number {
    return this.#bytes.length + this.#ends.length * 8;
  }

  get text(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  *fingerprints(): Generator<void, Float64Array> {
    const sequences = new Float64Array(this.#ends.length);
    for (const position of sequences.keys()) {
      const fingerprint = new ByteFingerprint();
      fingerprint.add(this.#recordAt(position));
      sequences[position] = fingerprint.toNumber();
      if (isPause(position)) yield;
    }
    return sequences;
  }

  read(positions: Uint32Array): RecordTexts {
    const records: Uint8Array[] = [];
    let bytes = 0;
    for (let i = 0; i < positions.length && bytes < BATCH_BYTES; i++) {
      const record = this.#recordAt(positions[i]!);
      records.push(record);
      bytes += record.length + 1;
    }
    const text = new Uint8Array(Math.max(0, bytes - 1));
    const ends = new Float64Array(records.length);
    let at = 0;
    for (const [i, record] of records.entries()) {
      if (i > 0) text[at++] = COMMA;
      text.set(record, at);
      at += record.length;
      ends[i] = at;
    }
    return { text, ends };
  }

  #recordAt(position: number): Uint8Array {
    return this.#bytes.subarray(position === 0 ? 0 : this.#ends[position - 1], this.#ends[position]);
  }

  #makeRoom(length: number): void {
    const needed = this.#used + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}
