import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import { TRIM_CACHE } from "./cache-folder.js";
import { type CachePlace, cachePlace, SAVE_CACHES } from "./disk-cache.js";

/** Has the threads of a source write what they cache, behind a list: no answer waits for it, and none fails with it. */
export class CacheSaver {
  /** Nothing where the source caches nothing on disk. */
  readonly place: CachePlace | undefined;
  readonly #pool: ReadingPool;
  #saving: Promise<void> | undefined;

  /** @param root the folder that the source reads */
  constructor(dir: string | undefined, root: string, pool: ReadingPool) {
    this.place = dir === undefined ? undefined : cachePlace(dir, root);
    this.#pool = pool;
  }

  /** To be called behind each list, or part of one. */
  save(): void {
    const { place } = this;
    const threads = place === undefined ? new Set<number>() : this.#threadsIn(place);
    if (place === undefined || threads.size === 0 || this.#saving !== undefined) return;
    this.#saving = this.#save(place, threads)
      .catch(() => undefined) // what is not written is read again the next time
      .finally(() => {
        this.#saving = undefined;
      });
  }

  /** Writes all that is new, and waits for it. */
  async close(): Promise<void> {
    await this.#saving;
    const { place } = this;
    const threads = place === undefined ? new Set<number>() : this.#threadsIn(place);
    if (place !== undefined && threads.size > 0)
      await this.#save(place, threads, true).catch(() => undefined);
  }

  /** The threads that have values in memory: the others need not begin for this. */
  #threadsIn({ inUse }: CachePlace): Set<number> {
    const lanes = [...inUse.keys()].filter((lane) => Atomics.load(inUse, lane) !== 0);
    return new Set(lanes.map((lane) => lane % this.#pool.threads));
  }

  async #save(place: CachePlace, threads: ReadonlySet<number>, isLast = false): Promise<void> {
    place.inUse.fill(0);
    const request = { place, isLast };
    await Promise.all([...threads].map((lane) => this.#pool.run(SAVE_CACHES, request, { lane })));
    await this.#pool.run(TRIM_CACHE, { dir: place.dir }, { lane: [...threads][0] });
  }
}
