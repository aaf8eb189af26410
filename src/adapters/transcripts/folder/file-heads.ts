import { closeSync } from "node:fs";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { faultText, SourceChangedError, SourceUnavailableError } from "../../../application/errors.js";
import type { JsonObject } from "../../../domain/json/json.js";
import { nameInside, type OpenFile, openContained, statEntry } from "../../files/bytes/contained-files.js";
import {
  type FileIdentity,
  identityNumbers,
  isUnchanged,
  NUMBERS_PER_IDENTITY,
  setIdentity,
} from "../../files/bytes/file-identities.js";
import { eachLine, type Line, readPart } from "../../files/bytes/line.js";
import { parseRecord } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import { isPacked, unpack } from "../../files/bytes/unpack.js";
import { cacheKey, type DiskCache, type ValueKind } from "../../files/cache/disk-cache.js";

export interface FaultyHead {
  readonly fault?: string | undefined;
}

export interface HeadReader<Head extends FaultyHead> extends ValueKind<Head> {
  /** For an unreadable file: reading all of it later reports the reason. */
  readonly none: Head;
  after(head: Head, record: JsonObject | undefined, lines: number, file: string): Head;
  isComplete(head: Head): boolean;
  readonly mostLines: number;
}

class HeadReading<Head extends FaultyHead> {
  head: Head;
  readonly #reader: HeadReader<Head>;
  readonly #file: string;
  #lines = 0;

  constructor(reader: HeadReader<Head>, file: string) {
    this.head = reader.none;
    this.#reader = reader;
    this.#file = file;
  }

  get isComplete(): boolean {
    return this.#reader.isComplete(this.head);
  }

  get isEnough(): boolean {
    return this.isComplete || this.#lines >= this.#reader.mostLines;
  }

  follow(line: Line): void {
    if (this.isEnough) return;
    this.head = this.#reader.after(this.head, parseRecord(line).record, this.#lines++, this.#file);
  }
}

/** Sizes of the attempts to read a head; then the complete file is read. */
const PIECES = [4 * 1024, 64 * 1024] as const;

const memory = new Uint8Array(PIECES[1]);

/** Heads of long files: one without a result would be searched again at each request. */
const headsOfLongFiles = new CachedWhileSame<FileIdentity, FaultyHead>({ max: 1_000 }, isUnchanged);

const MOST_UNPACKED = 4 * 1024 * 1024;

export interface HeadLocation {
  readonly root: string;
  readonly realRoot: string | undefined;
  readonly cache: DiskCache | undefined;
}

/**
 * @param cachedHead heads that need no lookup
 * @param folder prefix of the names in the paths, with a separator. Default is that the names are paths
 */
export function* headsOf<Head extends FaultyHead>(
  reader: HeadReader<Head>,
  place: HeadLocation,
  names: readonly string[],
  cachedHead: (name: string) => Head | undefined,
  folder = "",
): Generator<void, Map<string, Head>> {
  const heads = new Map<string, Head>();
  for (const name of names) {
    heads.set(name, cachedHead(name) ?? (yield* headOf(reader, place, folder + name)));
    yield;
  }
  return heads;
}

export function* headOf<Head extends FaultyHead>(
  reader: HeadReader<Head>,
  { root, realRoot, cache }: HeadLocation,
  file: string,
): Generator<void, Head> {
  try {
    const isCached = cache !== undefined && !cache.isEmpty(reader);
    const cached = isCached ? cache.get(reader, cacheKey(file, "", identityIn(root, file))) : undefined;
    if (cached !== undefined) return cached;
    const opened = openContained(root, file, realRoot);
    if (opened === undefined) return reader.none;
    const openedAt = Date.now();
    const head = yield* readHead(reader, opened, root, file);
    cache?.add(reader, cacheKey(file, "", identityNumbers(opened.identity), openedAt), head);
    return head;
  } catch (error) {
    if (error instanceof SourceUnavailableError) return reader.none;
    if (error instanceof SourceChangedError) throw error;
    return { ...reader.none, fault: faultText(error) };
  }
}

function identityIn(root: string, file: string): Float64Array {
  const identity = new Float64Array(NUMBERS_PER_IDENTITY);
  setIdentity(identity, 0, statEntry(root, file));
  return identity;
}

function* readHead<Head extends FaultyHead>(
  reader: HeadReader<Head>,
  opened: OpenFile,
  root: string,
  file: string,
): Generator<void, Head> {
  try {
    return isPacked(file)
      ? yield* headOfPacked(reader, opened, nameInside(root, file), file)
      : yield* headOfLines(reader, opened, file);
  } finally {
    closeSync(opened.descriptor);
  }
}

function* headOfLines<Head extends FaultyHead>(
  reader: HeadReader<Head>,
  { descriptor, identity }: OpenFile,
  file: string,
): Generator<void, Head> {
  const key = `${reader.name}\0${file}`;
  const cached = headsOfLongFiles.get(key, identity) as Head | undefined;
  if (cached !== undefined) return cached;
  for (const length of PIECES) {
    const reading = new HeadReading(reader, file);
    const piece = readPart(descriptor, 0, Math.min(length, identity.size), memory);
    eachLine(piece, (line) => reading.follow(line));
    if (reading.isComplete || identity.size <= length) return reading.head;
  }
  const reading = new HeadReading(reader, file);
  const range = { from: 0, to: identity.size, line: 1 };
  const follow = (line: Line) => reading.follow(line);
  const { tail } = yield* readLines(descriptor, range, follow, () => reading.isEnough);
  if (tail !== undefined) reading.follow(tail);
  headsOfLongFiles.keep(key, identity, reading.head);
  return reading.head;
}

function* headOfPacked<Head extends FaultyHead>(
  reader: HeadReader<Head>,
  { descriptor }: OpenFile,
  name: string,
  file: string,
): Generator<void, Head> {
  let beginning = Buffer.alloc(0);
  let reading = new HeadReading(reader, file);
  const parts: Uint8Array[] = [];
  let size = 0;
  let work = 0;
  const look = () => {
    beginning = Buffer.concat([beginning, ...parts.splice(0)]);
    reading = new HeadReading(reader, file);
    eachLine({ from: 0, bytes: beginning }, (line) => reading.follow(line));
  };
  const take = (bytes: Uint8Array) => {
    parts.push(bytes.slice());
    size += bytes.length;
    if (size >= 2 * beginning.length) look();
  };
  yield* unpack({ descriptor, name }, take, {
    isEnough: () => reading.isComplete || size + work > MOST_UNPACKED,
    work: (bytes) => {
      work += bytes;
    },
  });
  if (parts.length > 0) look();
  return reading.head;
}
