/** How fast sessions are read, as far as searches have seen. It is kept from one answer to the next. */
export class ReadingPace {
  #msPerByte = 1 / FIRST_BYTES_PER_MS;

  /** @param ms how long it took, beside others */
  add(bytes: number, ms: number): void {
    if (bytes < LEAST_BYTES || ms <= 0) return;
    this.#msPerByte += NEWEST * (ms / bytes - this.#msPerByte);
  }

  /** About how long the reading of a session takes, in milliseconds. */
  msFor(bytes: number): number {
    return OPENING_MS + bytes * this.#msPerByte;
  }
}

/** Before anything is known. */
const FIRST_BYTES_PER_MS = 20_000;

/** What opening a session takes, in milliseconds; of a smaller one it is most of the time. */
const OPENING_MS = 3;
const LEAST_BYTES = 50_000;

/** How much the last session counts. */
const NEWEST = 0.3;
