import type { Stats } from "node:fs";
import path from "node:path";
import { entriesIn, readableOrNone, statContained, statEntry } from "../../files/bytes/contained-files.js";
import { identityNumbers, NUMBERS_PER_IDENTITY, setIdentity } from "../../files/bytes/file-identities.js";
import type { FolderLookup } from "./discovered-once.js";
import { type PackedFiles, ZSTANDARD_FILES } from "./packed-files.js";

/** Absent or inaccessible files have no identity. Each path is looked up once, although related sessions name each other's files. */
export function* identitiesOf(
  root: string,
  paths: readonly string[],
  packed?: PackedFiles,
  lookup?: FolderLookup,
): Generator<void, Float64Array> {
  const places = new Map<string, number>();
  for (const path of paths) if (!places.has(path)) places.set(path, places.size);
  const once = yield* lookedUp(root, [...places.keys()], packed, lookup);
  if (places.size === paths.length) return once;
  const identities = new Float64Array(paths.length * NUMBERS_PER_IDENTITY);
  for (const [i, path] of paths.entries()) {
    const from = places.get(path)! * NUMBERS_PER_IDENTITY;
    identities.set(once.subarray(from, from + NUMBERS_PER_IDENTITY), i * NUMBERS_PER_IDENTITY);
  }
  return identities;
}

function* lookedUp(
  root: string,
  paths: readonly string[],
  packed: PackedFiles = ZSTANDARD_FILES,
  lookup?: FolderLookup,
): Generator<void, Float64Array> {
  const identities = new Float64Array(paths.length * NUMBERS_PER_IDENTITY);
  const unpacked = paths.filter((path) => packed.isPacked(path));
  const matches = (yield* packed.identify(root, unpacked, lookup)).values();
  for (const [i, path] of paths.entries()) {
    if (packed.isPacked(path)) {
      const identity = matches.next().value;
      if (identity === undefined) setIdentity(identities, i, undefined);
      else identities.set(identityNumbers(identity), i * NUMBERS_PER_IDENTITY);
    } else setIdentity(identities, i, statFile(root, path));
    yield;
  }
  return identities;
}

export function statFile(root: string, path: string): Stats | undefined {
  const stats = readableOrNone(() => statEntry(root, path));
  return stats?.isFile() ? stats : undefined;
}

interface Container {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export function containerOf(root: string, file: string): Container | undefined {
  for (let one = file; one.length > root.length; one = path.dirname(one)) {
    const stats = statFile(root, one);
    if (stats !== undefined) return { path: one, size: stats.size };
  }
  return undefined;
}

export type Containers = ReadonlyMap<string, Container | undefined>;

export function* containersOf(root: string, beginnings: readonly string[]): Generator<void, Containers> {
  const matches = new Map<string, Container | undefined>();
  for (const one of beginnings) {
    matches.set(one, containerOf(root, one));
    yield;
  }
  return matches;
}

/** Entries by name; empty if the folder is absent or outside. A link may be a file or a folder. */
export function namesIn(
  root: string,
  folder: string,
): { readonly files: string[]; readonly folders: string[] } {
  const entries = entriesIn(root, folder) ?? [];
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const isLink = entry.isSymbolicLink();
    const target = isLink ? statContained(root, path.join(folder, entry.name)) : entry;
    if (target?.isDirectory()) folders.push(entry.name);
    else if (target?.isFile()) files.push(entry.name);
  }
  return { files, folders };
}

/**
 * Yields files, the outer ones first; skips inaccessible ones.
 * @param depth maximum depth of the folders
 * @param most maximum number of files. Default is all
 */
export function* filesBelow(
  root: string,
  depth: number,
  most: number = Number.POSITIVE_INFINITY,
): Generator<void, string[]> {
  const matches: string[] = [];
  const folders = [{ folder: root, left: depth }];
  for (const [i, { folder, left }] of folders.entries()) {
    if (i >= most) break;
    const { files, folders: inside } = readableOrNone(() => namesIn(root, folder)) ?? NONE;
    for (const name of files) matches.push(path.join(folder, name));
    if (left > 0)
      for (const name of inside) folders.push({ folder: path.join(folder, name), left: left - 1 });
    yield;
  }
  return matches;
}

const NONE = { files: [], folders: [] };

export function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
