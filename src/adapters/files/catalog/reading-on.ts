import { untilAborted } from "../../../application/threads/shared-readings.js";

/** For how long a reading goes on behind the last answer that it was for, in milliseconds: whoever asks again finds more. */
const PATIENCE_MS = 2_000;

/** How often it is looked at whether anybody still asks, in milliseconds. */
const CHECKED_EVERY_MS = 250;

/**
 * One reading for answers that wait for a part of it. It goes on between two of them, so that nobody's threads are idle while an answer is
 * added up, and ends soon after the last one.
 */
export class ReadingOn {
  #reading: Promise<void> | undefined;
  #until = 0;

  /**
   * Waits until all is read, but no longer than `budgetMs`.
   *
   * @param read reads what is to be read now; what was read before it is aborted is not lost. It is called where no reading goes on
   * @throws what the reading throws, where it does so meanwhile
   */
  async wait(
    budgetMs: number,
    read: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    this.#until = performance.now() + budgetMs + PATIENCE_MS;
    this.#reading ??= this.#begin(read);
    let timer: NodeJS.Timeout | undefined;
    const isOver = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, budgetMs);
    });
    try {
      await untilAborted(Promise.race([this.#reading, isOver]), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #begin(read: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const check = setInterval(() => {
      if (performance.now() > this.#until) controller.abort();
    }, CHECKED_EVERY_MS);
    check.unref();
    const reading = read(controller.signal).finally(() => {
      clearInterval(check);
      this.#reading = undefined;
    });
    reading.catch(() => undefined); // whoever waits is told; who asks later reads again
    return reading;
  }
}
