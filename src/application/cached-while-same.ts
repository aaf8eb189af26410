import { LRUCache } from "lru-cache";

interface Cached<Identity, Value> {
  readonly identity: Identity;
  readonly value: Value;
}

/**
 * Caches values by key, each while its input is unchanged.
 * @example
 * const names = new CachedWhileSame<FileIdentity, Names>({ max: 16 }, isUnchanged);
 * return names.get(file, identity) ?? names.keep(file, identity, yield* readNames(file));
 */
export class CachedWhileSame<Identity, Value> {
  readonly #cached: LRUCache<string, Cached<Identity, Value>>;
  readonly #isSame: (before: Identity, now: Identity) => boolean;

  constructor(
    most: { readonly max: number } | { readonly maxSize: number },
    isSame: (before: Identity, now: Identity) => boolean = Object.is,
  ) {
    this.#cached = new LRUCache(most);
    this.#isSame = isSame;
  }

  get(key: string, identity: Identity): Value | undefined {
    const cached = this.#cached.get(key);
    return cached !== undefined && this.#isSame(cached.identity, identity) ? cached.value : undefined;
  }

  last(key: string): Value | undefined {
    return this.#cached.get(key)?.value;
  }

  /** A value above the maximum size is cached alone. */
  keep(key: string, identity: Identity, value: Value, size?: number): Value {
    const bounded = size === undefined ? {} : { size: Math.min(size, this.#cached.maxSize) };
    this.#cached.set(key, { identity, value }, bounded);
    return value;
  }

  forget(key: string): void {
    this.#cached.delete(key);
  }

  clear(): void {
    this.#cached.clear();
  }
}
