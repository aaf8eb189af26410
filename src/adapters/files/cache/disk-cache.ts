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

/** Where the values of a source are. Plain data: each thread opens them by it. */
export interface CacheLocation {
  readonly dir: string;
  readonly root: string;
}

/** What values of one kind are: each lies in a file of its own kind. `T` has to be what the shape says. */
export interface ValueKind<T> {
  readonly name: string;
  readonly shape: Shape;
  /** Is never there: it gives the kind its type. */
  readonly example?: T;
}

/** What a value is made of, as it was before it was read. */
export interface CacheKey {
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

/** New values of a kind, as lines of its file. */
export interface AddedValues {
  readonly kind: string;
  readonly size: number;
  readonly lines: Uint8Array;
}

/** How long a thread keeps what it loaded, in milliseconds: until a list has asked for all that it needs. */
const LOADED_MS = 5_000;

/** The files of caches that this thread has loaded. */
const loadedFiles = new LRUCache<string, CachedLines>({ max: 8, ttl: LOADED_MS, ttlAutopurge: true });

/**
 * The values that a folder holds of a source, as a task of any thread reads them. Nothing in it is trusted. What the task adds goes
 * back with its answer, and is written by another one ({@link SAVE_CACHE}).
 */
export class DiskCache {
  readonly #place: CacheLocation;
  /** By kind: where its file lies, and what was loaded of it, is looked up once, because values are asked for by the thousand. */
  readonly #lines = new Map<string, CachedLines>();
  readonly #added = new Map<string, string[]>();

  constructor(place: CacheLocation) {
    this.#place = place;
  }

  /** Whether there is nothing of a kind: then no key need be made. */
  isEmpty({ name }: ValueKind<unknown>): boolean {
    return this.#linesOf(name).size === 0;
  }

  get<T>({ name, shape }: ValueKind<T>, { path, stamp }: CacheKey): T | undefined {
    const line = this.#linesOf(name).get(JSON.stringify(path));
    const value = line && valueIn(line, stamp);
    return fits(value, shape) ? (value as T) : undefined;
  }

  /** The same as JSON. */
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
      // Memory of its own, which a thread can move away.
      return { kind, size: lines.length, lines: new TextEncoder().encode(lines.join("")) };
    });
  }

  #linesOf(kind: string): CachedLines {
    const known = this.#lines.get(kind);
    if (known !== undefined) return known;
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

/** What a task answers that may read a cache, and add to it; nothing is cached without a place. */
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
  /** Whether a list is over: then values of files that are gone are dropped, and the folder is held to its size. */
  readonly isListed: boolean;
}

/** Adds values to the files of their kinds. @returns how many values these hold. A reading task. */
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

/** The values that are cached, `null` for others; `undefined` where there is none of the kind: nothing else need be asked for. */
export function* recallValues<T>(
  place: CacheLocation,
  kind: ValueKind<T>,
  wanted: readonly WantedValue[],
): Generator<void, (T | null)[] | undefined> {
  return yield* recalled(place, kind, wanted, (cache, key) => cache.get(kind, key));
}

/** The same as JSON, for values of many members: a thread hands a text on sooner than a tree of objects. */
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
