import { SourceUnavailableError } from "../../application/errors.js";

/** One request's wait for its source: while a client waits for the answer, and for each part of it no longer than the limit. */
export class SourceWait {
  readonly #abort = new AbortController();
  readonly #limitMs: number;
  #isLeft = false;
  #restart: (() => void) | undefined;

  /**
   * @param client aborted when the client goes away
   * @param limitMs how long the source may take for one part, in milliseconds; from 1 to 2147483647, or `Infinity`
   */
  constructor(client: AbortSignal, limitMs: number) {
    this.#limitMs = limitMs;
    if (client.aborted) this.leave(client.reason);
    else client.addEventListener("abort", () => this.leave(client.reason), { once: true });
  }

  /** Aborted when nobody waits any more, and when the source took too long. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True if the client has disconnected: then a failure is irrelevant. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  leave(reason: unknown): void {
    this.#isLeft = true;
    this.#abort.abort(reason);
  }

  /**
   * Returns the source's result if it arrives in time. Ignores later results and errors.
   *
   * @throws SourceUnavailableError if the result does not arrive in time; then the signal is aborted
   */
  async for<T>(part: Promise<T>): Promise<T> {
    if (this.#limitMs === Number.POSITIVE_INFINITY) return part;
    let timer: NodeJS.Timeout | undefined;
    // Uses a separate timer, because it is cleared with the answer. A timer of `AbortSignal.timeout` remains until it expires.
    const late = new Promise<never>((_, reject) => {
      const expire = () => {
        const error = new SourceUnavailableError(
          `The data source did not answer within ${this.#limitMs / 1_000} s. Ask again later.`,
        );
        reject(error);
        this.#abort.abort(error);
      };
      this.#restart = () => {
        clearTimeout(timer);
        timer = setTimeout(expire, this.#limitMs);
        timer.unref?.(); // a number in runtimes that are like browsers
      };
      this.#restart();
    });
    try {
      return await Promise.race([part, late]);
    } finally {
      clearTimeout(timer);
      this.#restart = undefined;
    }
  }

  /** The awaited part made progress: restarts the time limit. */
  goesOn(): void {
    this.#restart?.();
  }
}
