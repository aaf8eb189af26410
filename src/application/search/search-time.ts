/**
 * The time of one answer. When it is over, sessions that are being loaded already may be searched for as long again, without the time that
 * they are waited for: else they would be loaded once more for the next answer.
 */
export class SearchTime {
  readonly #now: () => number;
  readonly #end: number;
  /** When that for what was begun is over. */
  #lastEnd: number;

  /** @param now a clock, in milliseconds */
  constructor(budgetMs: number, now: () => number) {
    this.#now = now;
    this.#end = now() + budgetMs;
    this.#lastEnd = this.#end + budgetMs;
  }

  /**
   * Returns the remaining time in milliseconds; 0 if it is over.
   *
   * @param isBegun true for the time of sessions that are being loaded. Default is the time of the answer
   */
  leftMs(isBegun = false): number {
    return Math.max(0, (isBegun ? this.#lastEnd : this.#end) - this.#now());
  }

  /** The instant by the search's clock, in milliseconds. */
  now(): number {
    return this.#now();
  }

  /** Waits for a session, which takes nothing of the time for what was begun. */
  async waitingFor<T>(loading: Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await loading;
    } finally {
      this.#lastEnd += this.#now() - begun;
    }
  }
}
