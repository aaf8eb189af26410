import { LRUCache } from "lru-cache";

interface Kept<Identity, Value> {
  readonly identity: Identity;
  readonly value: Value;
}

/**
 * Caches values by key, each while its input is unchanged. The least recently used values are removed first.
 *
 * @example
 * const names = new KeptWhileSame<FileIdentity, Names>({ max: 16 }, isUnchanged);
 * return names.get(file, identity) ?? names.keep(file, identity, yield* readNames(file));
 */
export class KeptWhileSame<Identity, Value> {
  readonly #kept: LRUCache<string, Kept<Identity, Value>>;
  readonly #isSame: (before: Identity, now: Identity) => boolean;

  /**
   * @param most maximum number of values, or maximum total size
   * @param isSame default is identity (`===`)
   */
  constructor(
    most: { readonly max: number } | { readonly maxSize: number },
    isSame: (before: Identity, now: Identity) => boolean = Object.is,
  ) {
    this.#kept = new LRUCache(most);
    this.#isSame = isSame;
  }

  /** @param identity of what the value is made of, now */
  get(key: string, identity: Identity): Value | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && this.#isSame(kept.identity, identity) ? kept.value : undefined;
  }

  /** Returns the cached value even if its input changed: for a reading that continues from there. */
  last(key: string): Value | undefined {
    return this.#kept.get(key)?.value;
  }

  /**
   * @param size size of the value, if sizes are bounded: a value above the maximum is cached alone
   * @returns the value
   */
  keep(key: string, identity: Identity, value: Value, size?: number): Value {
    const bounded = size === undefined ? {} : { size: Math.min(size, this.#kept.maxSize) };
    this.#kept.set(key, { identity, value }, bounded);
    return value;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}
