/**
 * The time of one answer. Sessions that are already loading get as long again, without the waits for them: otherwise the next answer
 * would load them once more.
 */
export class SearchTime {
  readonly #now: () => number;
  readonly #end: number;
  #lastEnd: number;

  constructor(budgetMs: number, now: () => number) {
    this.#now = now;
    this.#end = now() + budgetMs;
    this.#lastEnd = this.#end + budgetMs;
  }

  /**
   * In milliseconds; 0 after the end.
   * @param isBegun true for sessions that are already loading
   */
  leftMs(isBegun = false): number {
    return Math.max(0, (isBegun ? this.#lastEnd : this.#end) - this.#now());
  }

  now(): number {
    return this.#now();
  }

  /** The wait does not reduce the time of loading sessions. */
  async waitingFor<T>(loading: Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await loading;
    } finally {
      this.#lastEnd += this.#now() - begun;
    }
  }
}
