import { closeSync, fstatSync, readSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { ReadingLimitError, SourceUnavailableError } from "../../application/errors.js";
import { nameInside, type OpenFile, openContained } from "../files/bytes/contained-files.js";
import { identify, isUnchanged } from "../files/bytes/file-identities.js";
import { CommittedFrames, isPageSize } from "./committed-frames.js";

const HEADER = 100;
const MAGIC = "SQLite format 3\0";
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");

/** In bytes: the upper pages of the trees are read repeatedly. */
const MAX_CACHED = 4 * 1024 * 1024;

/**
 * Maximum visits of pages and rows in one reading: this minimum, plus one per `BYTES_A_VISIT` on the disk. Identifying all sessions of a
 * valid database takes one visit for each 700 bytes.
 */
const VISITS_AT_LEAST = 500_000;
const BYTES_A_VISIT = 256;

const VISITS_AT_A_TIME = 64;

const BYTES_COPIED_A_VISIT = 4_096;

/** The database exceeds a bound: it is not read until it changes. */
export class DatabaseLimitError extends ReadingLimitError {}

/** Called with the number of further visits. It throws if the reader has no more time. */
export type OnVisits = (visits: number) => void;

/** Unit of `stat`'s `blocks`. */
const BYTES_A_BLOCK = 512;

/** Two changes of a file within this time may have the same timestamp. */
const CLOCK_STEP_MS = 12;

const readLogs = new LRUCache<string, CommittedFrames>({ max: 8 });

/**
 * Pages of a database at one instant: those of the write-ahead log, otherwise of the file. It takes no lock, so a writer never waits;
 * {@link isAsItWas} checks at the end that the instant was one.
 * @see https://www.sqlite.org/fileformat2.html
 */
export class DatabasePages {
  readonly pageSize: number;
  /** Bytes of each page that SQLite uses. */
  readonly usable: number;
  readonly count: number;
  readonly bytes: number;
  readonly encoding: "utf8" | "utf16le" | "utf16be";
  damaged = 0;
  readonly #database: OpenFile;
  readonly #log: OpenFile | undefined;
  readonly #frames: CommittedFrames | undefined;
  #visits = 0;
  #untold = 0;
  readonly #openedAt: number;
  readonly #changes: Buffer;
  readonly #cached: LRUCache<number, Buffer>;
  readonly #name: string;
  readonly #mostVisits: number;
  readonly #onVisits: OnVisits | undefined;

  private constructor(
    name: string,
    openedAt: number,
    database: OpenFile,
    log: OpenFile | undefined,
    frames: CommittedFrames | undefined,
    onVisits: OnVisits | undefined,
  ) {
    this.#name = name;
    this.#onVisits = onVisits;
    this.#openedAt = openedAt;
    this.#database = database;
    this.#log = log;
    this.#frames = frames;
    this.#changes = this.#ownHeader().subarray(24, 28);
    const header = this.#header();
    const size = header.readUInt16BE(16);
    this.pageSize = frames?.pageSize ?? (size === 1 ? 65_536 : size);
    this.usable = this.pageSize - header[20]!;
    this.count = frames?.pages ?? Math.floor(database.identity.size / this.pageSize);
    const files = log === undefined ? [database] : [database, log];
    this.bytes = files.reduce((sum, { identity }) => sum + identity.size, 0);
    const onDisk = files.reduce((sum, one) => sum + bytesOnDisk(one), 0);
    onVisits?.(VISITS_AT_A_TIME);
    this.#mostVisits = VISITS_AT_LEAST + Math.floor(onDisk / BYTES_A_VISIT);
    this.encoding = (["utf8", "utf16le", "utf16be"] as const)[header.readUInt32BE(56) - 1] ?? "utf8";
    this.#cached = new LRUCache({ max: this.#isDatabase ? Math.max(16, MAX_CACHED / this.pageSize) : 1 });
  }

  /**
   * Returns `undefined` if the file is absent or not a database. The caller closes it.
   * @throws SourceUnavailableError if the file may not be read
   */
  static open(root: string, file: string, onVisits?: OnVisits): DatabasePages | undefined {
    const openedAt = Date.now();
    const database = openContained(root, file);
    if (database === undefined) return undefined;
    let log: OpenFile | undefined;
    try {
      log = openContained(root, `${file}-wal`);
      const frames = log && CommittedFrames.read(log.descriptor, log.identity.size, readLogs.get(file));
      if (frames !== undefined) readLogs.set(file, frames);
      const pages = new DatabasePages(nameInside(root, file), openedAt, database, log, frames, onVisits);
      if (pages.#isDatabase) return pages;
    } catch (error) {
      closeAll(database, log);
      throw error;
    }
    closeAll(database, log);
    return undefined;
  }

  close(): void {
    closeAll(this.#database, this.#log);
  }

  /**
   * Counts the visit of a page or a row.
   * @param visits more than one for slower work
   * @throws DatabaseLimitError if a crafted database causes more visits than a valid one of that size
   */
  visit(visits = 1): void {
    this.#visits += visits;
    this.#untold += visits;
    if (this.#untold >= VISITS_AT_A_TIME) {
      this.#onVisits?.(this.#untold);
      this.#untold = 0;
    }
    if (this.#visits <= this.#mostVisits) return;
    throw this.limitError(
      `reading it visits more than ${this.#mostVisits} pages and rows, as no sound database of its size does`,
    );
  }

  limitError(why: string): DatabaseLimitError {
    return new DatabaseLimitError(
      `${this.#name} is not read: ${why}. Check it with SQLite's "PRAGMA integrity_check", or move it out of the folder.`,
    );
  }

  /** Counts by size: rows of a crafted database may share a chain, whose bytes are copied. */
  chained(number: number): Buffer | undefined {
    this.visit(Math.ceil(this.pageSize / BYTES_COPIED_A_VISIT));
    return this.page(number);
  }

  page(number: number): Buffer | undefined {
    this.visit();
    if (!(number >= 1 && number <= this.count)) return undefined;
    const cached = this.#cached.get(number);
    if (cached !== undefined) return cached;
    const page = this.#read(number, this.pageSize);
    if (page.length < this.pageSize) return undefined;
    this.#cached.set(number, page);
    return page;
  }

  isAsItWas(root: string, file: string): boolean {
    const { descriptor, identity } = this.#database;
    if (!isUnchanged(identity, identify(fstatSync(descriptor)))) return false;
    if (Math.abs(this.#openedAt - identity.changedAt) <= CLOCK_STEP_MS) return false;
    if (this.#frames !== undefined) return this.#frames.isIn(this.#log!.descriptor);
    return this.#ownHeader().subarray(24, 28).equals(this.#changes) && !hasOpenJournal(root, file);
  }

  get #isDatabase(): boolean {
    const header = this.#header();
    const isNamed = header.toString("latin1", 0, MAGIC.length) === MAGIC;
    return isNamed && isPageSize(this.pageSize) && this.usable >= 480;
  }

  #header(): Buffer {
    return padded(this.#read(1, HEADER), HEADER);
  }

  #ownHeader(): Buffer {
    return padded(bytesAt(this.#database.descriptor, HEADER, 0), HEADER);
  }

  #read(number: number, length: number): Buffer {
    const place = this.#frames?.placeOf(number);
    if (place !== undefined) return bytesAt(this.#log!.descriptor, length, place);
    return bytesAt(this.#database.descriptor, length, number === 1 ? 0 : (number - 1) * this.pageSize);
  }
}

function bytesAt(descriptor: number, length: number, at: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
}

function padded(bytes: Buffer, length: number): Buffer {
  return bytes.length < length ? Buffer.concat([bytes], length) : bytes;
}

/** Holes of a sparse file hold no pages. */
function bytesOnDisk({ descriptor, identity }: OpenFile): number {
  const { blocks } = fstatSync(descriptor);
  return blocks > 0 ? Math.min(identity.size, blocks * BYTES_A_BLOCK) : identity.size;
}

function closeAll(...files: readonly (OpenFile | undefined)[]): void {
  for (const file of files) if (file !== undefined) closeSync(file.descriptor);
}

/** True if a transaction without a log is running or was interrupted, so that the pages are inconsistent. */
function hasOpenJournal(root: string, file: string): boolean {
  const journal = openContained(root, `${file}-journal`);
  if (journal === undefined) return false;
  try {
    return bytesAt(journal.descriptor, JOURNAL_MAGIC.length, 0).equals(JOURNAL_MAGIC);
  } finally {
    closeSync(journal.descriptor);
  }
}

export function inTheMiddle(root: string, file: string): SourceUnavailableError {
  const name = nameInside(root, file);
  return new SourceUnavailableError(
    hasOpenJournal(root, file)
      ? `${name} cannot be read: a change of it goes on, or was cut off. Its own program ends it.`
      : `${name} cannot be read: it is being written to without a pause.`,
  );
}
