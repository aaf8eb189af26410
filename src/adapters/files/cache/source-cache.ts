import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import { type AddedValues, type Cached, type CacheLocation, SAVE_CACHE } from "./disk-cache.js";

/** A number of new values that is always worth a writing; more of them where the files hold more already. */
const FEW = 8;

/** Time for which new values wait for others after a list, in milliseconds: a running session adds one every second. */
const PATIENCE_MS = 60_000;

/** The cache of a source, which threads read and write: no answer waits for the writing, and none fails with it. */
export class SourceCache {
  /** Nothing where the source caches nothing on disk. */
  readonly place: CacheLocation | undefined;
  readonly #pool: ReadingPool;
  #added: AddedValues[] = [];
  /** Number of values in the files that were last written. */
  #stored = 0;
  #savedAt = Number.NEGATIVE_INFINITY;
  #saving: Promise<void> | undefined;

  constructor(dir: string | undefined, root: string, pool: ReadingPool) {
    this.place = dir === undefined ? undefined : { dir, root };
    this.#pool = pool;
  }

  /**
   * Takes what a task adds to its answer. As much as there was is written at once: a killed process costs half of what it read, and
   * all writings of a long list cost what the last one does.
   */
  answerOf<T>({ answer, added }: Cached<T>): T {
    this.#added.push(...added);
    const size = this.#added.reduce((sum, one) => sum + one.size, 0);
    if (size >= Math.max(FEW, this.#stored) && this.#saving === undefined) this.#write(false);
    return answer;
  }

  /** Called after each list, or part of a list. */
  save(): void {
    if (this.#added.length === 0 || this.#saving !== undefined) return;
    if (performance.now() - this.#savedAt < PATIENCE_MS) return;
    this.#savedAt = performance.now();
    this.#write(true);
  }

  /** Writes all that is new, and waits for it. */
  async close(): Promise<void> {
    await this.#saving;
    if (this.#added.length > 0) await this.#write(true);
  }

  #write(isListed: boolean): Promise<void> {
    const request = { place: this.place!, added: this.#added, isListed };
    this.#added = [];
    const moved = request.added.map(({ lines }) => lines.buffer as ArrayBuffer);
    this.#saving = this.#pool
      .run(SAVE_CACHE, request, { lane: 0, moved })
      .then((stored) => {
        this.#stored = stored;
      })
      .catch(() => undefined) // what is not written is read again the next time
      .finally(() => {
        this.#saving = undefined;
      });
    return this.#saving;
  }
}
