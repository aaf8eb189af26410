import { SourceUnavailableError } from "../../application/errors.js";

/** Waits while a client waits, and for each part of the answer no longer than the limit. */
export class SourceWait {
  readonly #abort = new AbortController();
  readonly #limitMs: number;
  #isLeft = false;
  #restart: (() => void) | undefined;

  /**
   * @param client aborted when the client goes away
   * @param limitMs for one part, in milliseconds; from 1 to 2147483647, or `Infinity`
   */
  constructor(client: AbortSignal, limitMs: number) {
    this.#limitMs = limitMs;
    if (client.aborted) this.leave(client.reason);
    else client.addEventListener("abort", () => this.leave(client.reason), { once: true });
  }

  /** Aborted when the client has gone, and after a timeout. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  leave(reason: unknown): void {
    this.#isLeft = true;
    this.#abort.abort(reason);
  }

  /**
   * Ignores later results and errors.
   * @throws SourceUnavailableError after the timeout, which also aborts the signal
   */
  async for<T>(part: Promise<T>): Promise<T> {
    if (this.#limitMs === Number.POSITIVE_INFINITY) return part;
    let timer: NodeJS.Timeout | undefined;
    // A timer of `AbortSignal.timeout` would remain until it expires.
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
        timer.unref?.();
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

  goesOn(): void {
    this.#restart?.();
  }
}
