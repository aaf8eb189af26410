import { LRUCache } from "lru-cache";

interface Kept<Identity, Value> {
  readonly identity: Identity;
  readonly value: Value;
}

/**
 * Values by key, each for as long as what it was made of is the same. Those that were asked for longest ago go first.
 *
 * @example
 * const names = new KeptWhileSame<FileIdentity, Names>({ max: 16 }, isUnchanged);
 * return names.get(file, identity) ?? names.keep(file, identity, yield* readNames(file));
 */
export class KeptWhileSame<Identity, Value> {
  readonly #kept: LRUCache<string, Kept<Identity, Value>>;
  readonly #isSame: (before: Identity, now: Identity) => boolean;

  /**
   * @param most how many values are kept, or how large they are together
   * @param isSame default is that an identity is the very same
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

  /** What is kept whatever it was made of: for a reading that goes on from there. */
  last(key: string): Value | undefined {
    return this.#kept.get(key)?.value;
  }

  /**
   * @param size how large the value is, where sizes are bounded: what is larger than all is kept alone
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
