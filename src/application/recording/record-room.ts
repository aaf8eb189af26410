export interface BufferLimits {
  readonly maxWaitingRecords: number;
  readonly maxWaitingBytes: number;
}

/**
 * Once full, it refuses all records until half of it is free. Lost records are therefore consecutive, and everything before them is
 * complete.
 */
export class RecordRoom {
  readonly #limits: BufferLimits;
  #records = 0;
  #bytes = 0;
  #isFull = false;

  constructor(limits: BufferLimits) {
    this.#limits = limits;
  }

  get records(): number {
    return this.#records;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** A record larger than the room may wait alone. */
  take(bytes: number): boolean {
    const { maxWaitingRecords, maxWaitingBytes } = this.#limits;
    const fits = this.#records < maxWaitingRecords && this.#bytes + bytes <= maxWaitingBytes;
    if (this.#records > 0 && (this.#isFull || !fits)) {
      this.#isFull = true;
      return false;
    }
    this.#records++;
    this.#bytes += bytes;
    return true;
  }

  free(bytes: number): void {
    const { maxWaitingRecords, maxWaitingBytes } = this.#limits;
    this.#records--;
    this.#bytes -= bytes;
    if (this.#records <= maxWaitingRecords / 2 && this.#bytes <= maxWaitingBytes / 2) this.#isFull = false;
  }
}
