import { LRUCache } from "lru-cache";
import { ownModule } from "../../../application/ports/reading-pool.js";
import { ByteFingerprint, longFingerprint } from "../../../domain/text/fingerprints.js";
import { areSettled } from "../bytes/file-identities.js";
import { BUILD_ID } from "./build-id.js";
import {
  addLines,
  type CachedLines,
  dropAbsent,
  lineOf,
  readCacheFile,
  textIn,
  valueIn,
  writeCacheFile,
} from "./cache-file.js";
import { cacheFileOf, trimCache } from "./cache-folder.js";
import { fits, type Shape } from "./value-shape.js";

/** Plain data, for threads. */
export interface CacheLocation {
  readonly dir: string;
  readonly root: string;
}

/** Each kind has its own file. `T` must match the shape. */
export interface ValueKind<T> {
  readonly name: string;
  readonly shape: Shape;
  /** Never set: it only carries the type. */
  readonly example?: T;
}

/** State of the inputs before the value was read. */
export interface CacheKey {
  readonly path: string;
  /** Differs after each change of an input file. */
  readonly stamp: string;
  /** True if any later change of the files results in another stamp. */
  readonly isSettled: boolean;
}

/**
 * @param madeOf files and other inputs of the value, as text
 * @param identities of the files, from before the value was read
 * @param lookedUpAt milliseconds since the epoch. Default is now
 */
export function cacheKey(
  path: string,
  madeOf: string,
  identities: Float64Array,
  lookedUpAt = Date.now(),
): CacheKey {
  const { buffer, byteOffset, byteLength } = identities;
  const bytes = new ByteFingerprint();
  bytes.add(new Uint8Array(buffer, byteOffset, byteLength));
  const stamp = longFingerprint(madeOf) + bytes.toString();
  return { path, stamp, isSettled: areSettled(identities, lookedUpAt) };
}

export interface AddedValues {
  readonly kind: string;
  readonly size: number;
  readonly lines: Uint8Array;
}

/** Milliseconds: long enough for all requests of one list. */
const LOADED_MS = 5_000;

/** Per thread. */
const loadedFiles = new LRUCache<string, CachedLines>({ max: 8, ttl: LOADED_MS, ttlAutopurge: true });

/**
 * A source's cached values for a task of any thread. Nothing in the file is trusted; additions return with the task's answer, and {@link
 * SAVE_CACHE} writes them.
 */
export class DiskCache {
  readonly #place: CacheLocation;
  /** Per kind, looked up once, because tasks request values by the thousand. */
  readonly #lines = new Map<string, CachedLines>();
  readonly #added = new Map<string, string[]>();

  constructor(place: CacheLocation) {
    this.#place = place;
  }

  /** True if a kind has no values: then no key is necessary. */
  isEmpty({ name }: ValueKind<unknown>): boolean {
    return this.#linesOf(name).size === 0;
  }

  get<T>({ name, shape }: ValueKind<T>, { path, stamp }: CacheKey): T | undefined {
    const line = this.#linesOf(name).get(JSON.stringify(path));
    const value = line && valueIn(line, stamp);
    return fits(value, shape) ? (value as T) : undefined;
  }

  text(kind: ValueKind<unknown>, key: CacheKey): string | undefined {
    if (this.get(kind, key) === undefined) return undefined;
    return textIn(this.#linesOf(kind.name).get(JSON.stringify(key.path))!).trimEnd();
  }

  add<T>({ name }: ValueKind<T>, { path, stamp, isSettled }: CacheKey, value: T): void {
    if (!isSettled) return;
    const lines = this.#added.get(name) ?? [];
    lines.push(lineOf(path, stamp, value));
    this.#added.set(name, lines);
  }

  get added(): AddedValues[] {
    return [...this.#added].map(([kind, lines]) => {
      // Separate memory, which a thread can transfer.
      return { kind, size: lines.length, lines: new TextEncoder().encode(lines.join("")) };
    });
  }

  #linesOf(kind: string): CachedLines {
    const existing = this.#lines.get(kind);
    if (existing !== undefined) return existing;
    const { file, purpose } = fileOf(this.#place, kind);
    const values = loadedFiles.get(file) ?? readCacheFile(file, purpose);
    loadedFiles.set(file, values);
    this.#lines.set(kind, values);
    return values;
  }
}

export interface Cached<T> {
  readonly answer: T;
  readonly added: readonly AddedValues[];
}

/** Without a location nothing is cached. */
export function* withCache<T>(
  place: CacheLocation | undefined,
  steps: (cache: DiskCache | undefined) => Generator<unknown, T>,
): Generator<unknown, Cached<T>> {
  const cache = place && new DiskCache(place);
  const answer = yield* steps(cache);
  return { answer, added: cache?.added ?? [] };
}

function fileOf({ dir, root }: CacheLocation, kind: string) {
  const owner = `${kind} ${root}`;
  return { file: cacheFileOf(dir, owner), purpose: JSON.stringify([BUILD_ID, owner]) };
}

export interface SaveRequest {
  readonly place: CacheLocation;
  readonly added: readonly AddedValues[];
  /** True for a complete list: drops values of absent files, and applies the size limit of the folder. */
  readonly isListed: boolean;
}

/** @returns number of values in the files */
export function* saveCache({ place, added, isListed }: SaveRequest): Generator<void, number> {
  let size = 0;
  for (const kind of new Set(added.map((one) => one.kind))) {
    const { file, purpose } = fileOf(place, kind);
    loadedFiles.delete(file);
    const values = readCacheFile(file, purpose);
    yield;
    if (isListed) yield* dropAbsent(values);
    for (const one of added) if (one.kind === kind) addLines(values, one.lines);
    yield* writeCacheFile(file, purpose, values);
    size += values.size;
  }
  if (isListed) yield* trimCache({ dir: place.dir });
  return size;
}

export const SAVE_CACHE = {
  module: ownModule(import.meta.url, "disk-cache"),
  name: "saveCache",
  steps: saveCache,
};

export interface WantedValue {
  readonly path: string;
  readonly madeOf: string;
  readonly identity: Float64Array;
}

/** `null` for values that are not cached; `undefined` if the kind has none at all. */
export function* recallValues<T>(
  place: CacheLocation,
  kind: ValueKind<T>,
  wanted: readonly WantedValue[],
): Generator<void, (T | null)[] | undefined> {
  return yield* recalled(place, kind, wanted, (cache, key) => cache.get(kind, key));
}

/** JSON texts, because a thread transfers them faster than trees of objects. */
export function* recallTexts(
  place: CacheLocation,
  kind: ValueKind<unknown>,
  wanted: readonly WantedValue[],
): Generator<void, (string | null)[] | undefined> {
  return yield* recalled(place, kind, wanted, (cache, key) => cache.text(kind, key));
}

function* recalled<Value>(
  place: CacheLocation,
  kind: ValueKind<unknown>,
  wanted: readonly WantedValue[],
  recall: (cache: DiskCache, key: CacheKey) => Value | undefined,
): Generator<void, (Value | null)[] | undefined> {
  const cache = new DiskCache(place);
  if (cache.isEmpty(kind)) return undefined;
  const values: (Value | null)[] = [];
  for (const { path, madeOf, identity } of wanted) {
    values.push(recall(cache, cacheKey(path, madeOf, identity)) ?? null);
    yield;
  }
  return values;
}
