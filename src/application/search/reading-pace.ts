/** Measured speed of reading, retained between answers. */
export class ReadingPace {
  #msPerByte = 1 / FIRST_BYTES_PER_MS;

  add(bytes: number, ms: number): void {
    if (bytes < LEAST_BYTES || ms <= 0) return;
    this.#msPerByte += NEWEST * (ms / bytes - this.#msPerByte);
  }

  msFor(bytes: number): number {
    return OPENING_MS + bytes * this.#msPerByte;
  }
}

const FIRST_BYTES_PER_MS = 20_000;

/** In milliseconds; for a smaller session, opening takes most of the time. */
const OPENING_MS = 3;
const LEAST_BYTES = 50_000;

const NEWEST = 0.3;
