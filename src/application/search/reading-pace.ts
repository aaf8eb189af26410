/** Reading speed of sessions, as measured by searches. It is retained from one answer to the next. */
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

/** Assumed speed before the first measurement. */
const FIRST_BYTES_PER_MS = 20_000;

/** Time to open a session, in milliseconds. For a smaller session, opening takes most of the time. */
const OPENING_MS = 3;
const LEAST_BYTES = 50_000;

/** Weight of the latest session. */
const NEWEST = 0.3;
