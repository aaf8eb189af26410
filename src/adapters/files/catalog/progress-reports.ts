import type { ListProgress } from "../../../application/ports/list-progress.js";
import { tellHost } from "../../../domain/options/host-functions.js";

const EVERY_MS = 1_000;

/** Milliseconds without a reading after which the next one is a new list. */
const PAUSE_MS = 3_000;

/** Reports about once a second, for all requests together. */
export class ProgressReports {
  readonly #onProgress: ((progress: ListProgress) => void) | undefined;
  #begun = 0;
  #touched = Number.NEGATIVE_INFINITY;
  #reported = 0;

  constructor(onProgress: ((progress: ListProgress) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  begin(): void {
    const now = performance.now();
    if (now - this.#touched > PAUSE_MS) {
      this.#begun = now;
      this.#reported = now;
    }
    this.#touched = now;
  }

  /** @param count returns the number of read sessions */
  report(count: () => number, total: number): void {
    const now = performance.now();
    this.#touched = now;
    if (this.#onProgress === undefined || now - this.#reported < EVERY_MS) return;
    this.#reported = now;
    const progress = { sessions: count(), total, elapsedMs: now - this.#begun };
    tellHost(() => this.#onProgress?.(progress));
  }
}
