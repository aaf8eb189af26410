/** Reuses a buffer: the system provides new memory page by page at the first write, which takes longer than the write. */
export class SpareBuffer {
  readonly #bytes: number;
  #spare: Buffer | undefined;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** For exclusive use until it is returned. Its content is undefined. */
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

/** JSON texts, separated by commas, and the end of each. */
export interface TextBatch {
  readonly text: Uint8Array;
  readonly ends: Float64Array;
}

const COMMA = 0x2c;

const spare = new SpareBuffer(1 << 20);

export class BatchBuilder {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  #bytes = spare.take();
  #size = 0;
  #isInOrder = true;
  #last = -1;

  constructor(size: number) {
    this.#starts = new Float64Array(size);
    this.#ends = new Float64Array(size);
  }

  addText(place: number, text: string): void {
    // Any character takes at most three bytes, and most take one.
    if (text.length * 3 >= this.#bytes.length - this.#size) this.#makeRoom(Buffer.byteLength(text));
    this.#begin(place);
    this.#end(place, this.#bytes.write(text, this.#size, "utf8"));
  }

  /** @param bytes UTF-8; the caller may reuse them afterwards */
  addBytes(place: number, bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#begin(place);
    this.#bytes.set(bytes, this.#size);
    this.#end(place, bytes.length);
  }

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

  /** A comma follows each record, so that ordered records are already a batch. */
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
