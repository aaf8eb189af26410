import pLimit from "p-limit";
import { SourceUnavailableError } from "../../application/errors.js";

/** Each call holds up to fifty records, some of them complete until they are cut. */
const CALLS_AT_ONCE = 3;

const MOST_WAITING = 200;

export class CallQueue {
  readonly #limit = pLimit(CALLS_AT_ONCE);

  /**
   * @param signal an aborted call does not begin
   * @throws SourceUnavailableError if too many calls wait already
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
