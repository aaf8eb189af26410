import type { ListProgress } from "../../../application/ports/list-progress.js";
import { tellHost } from "../../../domain/options/host-functions.js";

const EVERY_MS = 1_000;

/** After so long without a reading, the next one is another list, in milliseconds. */
const PAUSE_MS = 3_000;

/** Reports how far the reading of a list is, about once a second, however many requests it is read for. */
export class ProgressReports {
  readonly #onProgress: ((progress: ListProgress) => void) | undefined;
  #begun = 0;
  #touched = Number.NEGATIVE_INFINITY;
  #reported = 0;

  constructor(onProgress: ((progress: ListProgress) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  /** Called before something is read. */
  begin(): void {
    const now = performance.now();
    if (now - this.#touched > PAUSE_MS) {
      this.#begun = now;
      this.#reported = now;
    }
    this.#touched = now;
  }

  /**
   * Called whenever something was read.
   *
   * @param count counts the sessions that were read so far
   */
  report(count: () => number, total: number): void {
    const now = performance.now();
    this.#touched = now;
    if (this.#onProgress === undefined || now - this.#reported < EVERY_MS) return;
    this.#reported = now;
    const progress = { sessions: count(), total, elapsedMs: now - this.#begun };
    tellHost(() => this.#onProgress?.(progress));
  }
}
