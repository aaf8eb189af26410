import pLimit from "p-limit";
import { SourceUnavailableError } from "../../application/errors.js";

/** Number of calls that run at a time. Each holds up to fifty records, some of them complete until they are cut. */
const CALLS_AT_ONCE = 3;

/** Maximum number of waiting calls. */
const MOST_WAITING = 200;

/** Runs the calls of a server's clients, a few at a time, in order of arrival. */
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
