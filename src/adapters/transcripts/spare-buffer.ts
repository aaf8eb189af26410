/**
 * A buffer that is used again for the same purpose, task after task of a thread: the system gives new memory page by page when it is
 * first written to, and that takes longer than what is written there.
 */
export class SpareBuffer {
  readonly #bytes: number;
  #spare: Buffer | undefined;

  /** @param bytes how long it is at least; longer ones are not kept */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** A buffer for the caller alone, until it is given back. What it holds is anything. */
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
