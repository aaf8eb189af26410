/** How much may wait for a store. */
export interface BufferLimits {
  readonly maxWaitingRecords: number;
  readonly maxWaitingBytes: number;
}

/**
 * Says whether there is room for a record. Where there is none, there is none either for those behind it until half of the room is free: so
 * what is lost lies together, at a place, and what came before it is whole.
 */
export class RecordRoom {
  readonly #limits: BufferLimits;
  #records = 0;
  #bytes = 0;
  #isFull = false;

  constructor(limits: BufferLimits) {
    this.#limits = limits;
  }

  /** How many records there are. */
  get records(): number {
    return this.#records;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** A record that is larger than all of the room may wait alone. */
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
