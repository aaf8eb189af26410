import pLimit from "p-limit";
import { SourceUnavailableError } from "../../application/errors.js";

/** How many calls run at a time: each holds up to fifty records, whole ones among them while they are cut. */
export const CALLS_AT_ONCE = 3;

/** How many calls wait for their turn. */
export const MOST_WAITING = 200;

/** Runs the calls of a server's clients, a few at a time, in the order in which they came. */
export class CallQueue {
  readonly #limit = pLimit(CALLS_AT_ONCE);

  /**
   * @param signal of a call that nobody waits for any more: it is not begun
   * @throws SourceUnavailableError where too many wait already
   */
  async run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#limit.pendingCount >= MOST_WAITING) {
      throw new SourceUnavailableError(
        `${CALLS_AT_ONCE} calls are being answered and ${MOST_WAITING} wait. Ask again when some have been answered.`,
      );
    }
    return await this.#limit(async () => {
      signal.throwIfAborted();
      return await call();
    });
  }
}
