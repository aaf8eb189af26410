import { BLOCK } from "../archive/packed-format.js";

export class LineBlocks {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(BLOCK);
  #length = 0;

  *add(line: string): Generator<Uint8Array, void> {
    let rest = `${line}\n`;
    while (rest !== "") {
      const { read, written } = this.#encoder.encodeInto(rest, this.#bytes.subarray(this.#length));
      this.#length += written;
      rest = rest.slice(read);
      if (rest !== "") yield this.#take();
    }
  }

  *end(): Generator<Uint8Array, void> {
    if (this.#length > 0) yield this.#take();
  }

  #take(): Uint8Array {
    const block = this.#bytes.subarray(0, this.#length);
    this.#bytes = new Uint8Array(BLOCK);
    this.#length = 0;
    return block;
  }
}
