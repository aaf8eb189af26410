/**
 * A buffer that is used again for the same purpose, task after task of a thread: the system gives new memory page by page when it is
 * first written to, and that takes longer than what is written there.
 */
export class SpareBuffer {
  readonly #bytes: number;
  #spare: Buffer | undefined;

  /** @param bytes minimum length of a buffer; longer buffers are not reused */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Returns a buffer for exclusive use until it is returned. Its content is undefined. */
  take(bytes = 0): Buffer {
    if (bytes > this.#bytes) return Buffer.allocUnsafeSlow(bytes);
    const spare = this.#spare ?? Buffer.allocUnsafeSlow(this.#bytes);
    this.#spare = undefined;
    return spare;
  }

  giveBack(buffer: Buffer): void {
    if (buffer.length === this.#bytes) this.#spare = buffer;
  }
}

/** JSON texts of records, one after the other with commas between them, and the end of each. */
export interface TextBatch {
  readonly text: Uint8Array;
  readonly ends: Float64Array;
}

const COMMA = 0x2c;

const spare = new SpareBuffer(1 << 20);

/** Puts a batch together of records that come in any order. */
export class BatchBuilder {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  #bytes = spare.take();
  #size = 0;
  #isInOrder = true;
  #last = -1;

  /** @param size how many records there are; each has to be added */
  constructor(size: number) {
    this.#starts = new Float64Array(size);
    this.#ends = new Float64Array(size);
  }

  addText(place: number, text: string): void {
    // Three bytes a character are enough for any text, and most texts need one.
    if (text.length * 3 >= this.#bytes.length - this.#size) this.#makeRoom(Buffer.byteLength(text));
    this.#begin(place);
    this.#end(place, this.#bytes.write(text, this.#size, "utf8"));
  }

  /** @param bytes UTF-8, which may be used otherwise afterwards */
  addBytes(place: number, bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#begin(place);
    this.#bytes.set(bytes, this.#size);
    this.#end(place, bytes.length);
  }

  /** The batch. The builder cannot be used any more. */
  batch(): TextBatch {
    const batch = this.#isInOrder
      ? { text: new Uint8Array(this.#bytes.subarray(0, Math.max(0, this.#size - 1))), ends: this.#ends }
      : this.#inOrder();
    spare.giveBack(this.#bytes);
    return batch;
  }

  #begin(place: number): void {
    this.#isInOrder &&= place === this.#last + 1;
    this.#last = place;
    this.#starts[place] = this.#size;
  }

  /** A comma follows each record, so that records in order are a batch already. */
  #end(place: number, length: number): void {
    this.#size += length;
    this.#ends[place] = this.#size;
    this.#bytes[this.#size++] = COMMA;
  }

  #makeRoom(length: number): void {
    const needed = this.#size + length + 1;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }

  #inOrder(): TextBatch {
    const text = new Uint8Array(Math.max(0, this.#size - 1));
    const ends = new Float64Array(this.#ends.length);
    let at = 0;
    for (const [place, end] of this.#ends.entries()) {
      if (place > 0) text[at++] = COMMA;
      const start = this.#starts[place]!;
      text.set(this.#bytes.subarray(start, end), at);
      at += end - start;
      ends[place] = at;
    }
    return { text, ends };
  }
}

export function textBatch(texts: readonly string[]): TextBatch {
  const builder = new BatchBuilder(texts.length);
  for (const [place, text] of texts.entries()) builder.addText(place, text);
  return builder.batch();
}
