/** There is no room for a request now; there will be when others have been written. */
export class OverBudget extends Error {
  override readonly name = "OverBudget";
}

/** Bounds how many bytes the requests that are under way hold together. */
export class ByteBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Begins with nothing, and has to be given back. */
  open(): Allotment {
    return new Allotment((more) => {
      if (more > 0 && this.#held + more > this.#maxBytes) throw new OverBudget();
      this.#held += more;
    });
  }
}

/** What one request holds. */
export class Allotment {
  readonly #change: (more: number) => void;
  #bytes = 0;

  constructor(change: (more: number) => void) {
    this.#change = change;
  }

  /** @throws OverBudget where there is no room; it holds what it held then */
  set(bytes: number): void {
    this.#change(bytes - this.#bytes);
    this.#bytes = bytes;
  }

  add(bytes: number): void {
    this.set(this.#bytes + bytes);
  }

  giveBack(): void {
    this.set(0);
  }
}
