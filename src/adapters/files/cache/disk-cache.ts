import type { ReadingTask } from "../../../application/ports/reading-pool.js";
import { ByteFingerprint, longFingerprint } from "../../../domain/text/fingerprints.js";
import { areSettled } from "../bytes/file-identities.js";
import { LANES } from "../threads/lanes.js";
import { BUILD_ID } from "./build-id.js";
import { cacheFileOf } from "./cache-folder.js";
import { CacheShard } from "./cache-shard.js";

/** Where the values of a source are. Plain data: each thread opens them by it. */
export interface CachePlace {
  readonly dir: string;
  /** The folder that the source reads. */
  readonly root: string;
  /** Shared by all threads: a number a lane, not 0 while a thread has values of that lane in memory. */
  readonly inUse: Int32Array;
}

export function cachePlace(dir: string, root: string): CachePlace {
  return { dir, root, inUse: new Int32Array(new SharedArrayBuffer(LANES * Int32Array.BYTES_PER_ELEMENT)) };
}

/** What a value is made of, as it was before it was read. */
export interface CacheKey {
  /** Where the value is: tasks of one lane run in one thread, so that one thread of a process writes it. */
  readonly lane: number;
  /** The file that it is of. */
  readonly path: string;
  /** Is another one whenever a file that the value is made of is. */
  readonly stamp: string;
  /** Whether any later change of the files gives another stamp. */
  readonly isSettled: boolean;
}

/**
 * @param madeOf which files it is made of, and what else it depends on, as text
 * @param identities the files', looked up before the value was read
 * @param lookedUpAt when, in milliseconds since the epoch. Default is now
 */
export function cacheKey(
  lane: number,
  path: string,
  madeOf: string,
  identities: Float64Array,
  lookedUpAt = Date.now(),
): CacheKey {
  const { buffer, byteOffset, byteLength } = identities;
  const bytes = new ByteFingerprint();
  bytes.add(new Uint8Array(buffer, byteOffset, byteLength));
  const stamp = longFingerprint(madeOf) + bytes.toString();
  return { lane, path, stamp, isSettled: areSettled(identities, lookedUpAt) };
}

/** Values of one kind that were derived from files, in a folder that outlives the process. Nothing in it is trusted. */
export class DiskCache<T> {
  /** Of whoever opened it last: each has a memory of its own for what is in use. */
  place: CachePlace;
  readonly #kind: string;
  readonly #isValid: (value: unknown) => value is T;
  readonly #shards = new Map<number, CacheShard>();
  readonly #delayed: (() => { readonly key: CacheKey; readonly value: T })[] = [];

  constructor(place: CachePlace, kind: string, isValid: (value: unknown) => value is T) {
    this.place = place;
    this.#kind = kind;
    this.#isValid = isValid;
  }

  /** Whether there is nothing of a lane: then no key need be made. */
  isEmpty(lane: number): boolean {
    return this.#shard(lane).size === 0;
  }

  /** Whether there is nothing at all. */
  get isAllEmpty(): boolean {
    return Array.from({ length: LANES }).every((_, lane) => this.isEmpty(lane));
  }

  get({ lane, path, stamp }: CacheKey): T | undefined {
    const value = this.#shard(lane).get(path, stamp);
    return this.#isValid(value) ? value : undefined;
  }

  set({ lane, path, stamp, isSettled }: CacheKey, value: T): void {
    if (isSettled) this.#shard(lane).set(path, stamp, value);
  }

  /** Sets a value when the cache is saved: nobody waits for what that takes, and `get` does not give it before. */
  setLater(entry: () => { readonly key: CacheKey; readonly value: T }): void {
    this.#delayed.push(entry);
  }

  /** Writes what is new. */
  *save(isLast: boolean): Generator<void, void> {
    for (const entry of this.#delayed.splice(0)) {
      const { key, value } = entry();
      this.set(key, value);
      yield;
    }
    for (const [lane, shard] of this.#shards) {
      if (shard.save(isLast)) this.#markUsed(lane);
      yield;
    }
  }

  #shard(lane: number): CacheShard {
    this.#markUsed(lane);
    const known = this.#shards.get(lane);
    if (known !== undefined) return known;
    const owner = `${this.#kind} ${this.place.root}`;
    const purpose = JSON.stringify([BUILD_ID, owner, lane]);
    const shard = new CacheShard(cacheFileOf(this.place.dir, owner, lane), purpose);
    this.#shards.set(lane, shard);
    return shard;
  }

  #markUsed(lane: number): void {
    Atomics.store(this.place.inUse, lane, 1);
  }
}

/** The caches of this thread. */
const caches = new Map<string, DiskCache<unknown>>();

/**
 * A cache of this thread, the same one each time.
 *
 * @param isValid whether a value is one that the caller set: it may have been made by anyone
 */
export function openDiskCache<T>(
  place: CachePlace,
  kind: string,
  isValid: (value: unknown) => value is T,
): DiskCache<T> {
  const key = JSON.stringify([place.dir, place.root, kind]);
  const known = caches.get(key) as DiskCache<T> | undefined;
  const cache = known ?? new DiskCache(place, kind, isValid);
  cache.place = place;
  caches.set(key, cache);
  return cache;
}

export interface SaveRequest {
  readonly place: CachePlace;
  /** Whether the source is being closed: then nothing waits for other values. */
  readonly isLast: boolean;
}

/** Writes what is new in the caches that this thread has of a place. */
export function* saveCaches({ place: { dir, root }, isLast }: SaveRequest): Generator<void, void> {
  for (const cache of caches.values()) {
    if (cache.place.dir === dir && cache.place.root === root) yield* cache.save(isLast);
  }
}

export const SAVE_CACHES: ReadingTask<SaveRequest, void> = {
  module: import.meta.url,
  name: "saveCaches",
  steps: saveCaches,
};
