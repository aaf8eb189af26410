import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import { type AddedValues, type Cached, type CacheLocation, SAVE_CACHE } from "./disk-cache.js";

/** Minimum number of new values for a write; more if the files are larger. */
const FEW = 8;

/** Milliseconds that new values wait for others: a running session adds one every second. */
const PATIENCE_MS = 60_000;

/** No answer waits for the writing, and none fails with it. */
export class SourceCache {
  /** `undefined` without a cache on disk. */
  readonly place: CacheLocation | undefined;
  readonly #pool: ReadingPool;
  #added: AddedValues[] = [];
  /** Values in the files after the last write. */
  #stored = 0;
  #savedAt = Number.NEGATIVE_INFINITY;
  #saving: Promise<void> | undefined;

  constructor(dir: string | undefined, root: string, pool: ReadingPool) {
    this.place = dir === undefined ? undefined : { dir, root };
    this.#pool = pool;
  }

  /**
   * Writes at once if the new values are as many as the stored ones: a killed process loses at most half, and all writes of a long list
   * cost as much as the last one.
   */
  answerOf<T>({ answer, added }: Cached<T>): T {
    this.#added.push(...added);
    const size = this.#added.reduce((sum, one) => sum + one.size, 0);
    if (size >= Math.max(FEW, this.#stored) && this.#saving === undefined) this.#write(false);
    return answer;
  }

  save(): void {
    if (this.#added.length === 0 || this.#saving !== undefined) return;
    if (performance.now() - this.#savedAt < PATIENCE_MS) return;
    this.#savedAt = performance.now();
    this.#write(true);
  }

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
      .catch(() => undefined) // The next reading repeats unwritten values.
      .finally(() => {
        this.#saving = undefined;
      });
    return this.#saving;
  }
}
