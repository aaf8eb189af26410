import type { ListProgress } from "../../application/ports/list-progress.js";

const EVERY_MS = 1_000;

/** Reports how far the reading of a list is, about once a second, however many requests it is read for. */
export class ProgressReports {
  readonly #onProgress: ((progress: ListProgress) => void) | undefined;
  #begun: number | undefined;
  #reported = 0;

  constructor(onProgress: ((progress: ListProgress) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  /** Called before something is read. */
  begin(): void {
    if (this.#begun !== undefined) return;
    this.#begun = performance.now();
    this.#reported = this.#begun;
  }

  /** Called whenever something was read. */
  report(sessions: number, total: number): void {
    const now = performance.now();
    const begun = this.#begun ?? now;
    if (now - this.#reported >= EVERY_MS) {
      this.#reported = now;
      this.#onProgress?.({ sessions, total, elapsedMs: now - begun });
    }
    if (sessions >= total) this.#begun = undefined;
  }
}
