import { closeSync } from "node:fs";
import { SourceUnavailableError } from "../../application/errors.js";
import { instantOf } from "../../domain/instant.js";
import { objectField, textField } from "../../domain/json.js";
import { type OpenFile, openContained, statEntry } from "../jsonl/contained-files.js";
import { type CachePlace, cacheKey, type DiskCache, openDiskCache } from "../jsonl/disk-cache.js";
import { identityNumbers, NUMBERS_PER_IDENTITY, setIdentity } from "../jsonl/file-identities.js";
import type { FileIdentity } from "../jsonl/file-identity.js";
import { eachLine, readPart } from "../jsonl/file-part.js";
import type { Line } from "../jsonl/line.js";
import { parseLine } from "../jsonl/parse-line.js";
import { readLines } from "../jsonl/read-lines.js";
import { fits, type Shape } from "../jsonl/value-shape.js";
import { recordKey } from "./record.js";

/** What the first record of a file with a `uuid` contains. */
export interface FileHead {
  /** What a replayed copy of the record shares with it. */
  readonly key: number | undefined;
  readonly instant: number | undefined;
  /** The session that the record names as its own. */
  readonly sessionId: string | undefined;
  /** The session that it names as the one it was copied from. */
  readonly forkedFrom: string | undefined;
}

const NO_HEAD: FileHead = { key: undefined, instant: undefined, sessionId: undefined, forkedFrom: undefined };

/** How much of a file is read for its first record, which nearly all begin with: the second where the first does not hold it. */
const PIECES = [4 * 1024, 16 * 1024] as const;

/** Shared by all files: one is read at a time. */
const memory = new Uint8Array(PIECES[1]);

/** How many lines of others are searched for it. */
const MOST_LINES = 100_000;

/** Empty for a file that cannot be read: reading all of it later reports why. */
export function* headOrNone(
  { root, realRoot }: { readonly root: string; readonly realRoot: string | undefined },
  file: string,
  cached: CachedHeads | undefined,
): Generator<void, FileHead> {
  try {
    const known = cached?.get(root, file);
    if (known !== undefined) return known;
    const opened = openContained(root, file, realRoot);
    if (opened === undefined) return NO_HEAD;
    const head = yield* readHead(opened);
    cached?.set(file, opened.identity, head);
    return head;
  } catch (error) {
    if (error instanceof SourceUnavailableError) return NO_HEAD;
    throw error;
  }
}

/** The beginnings of a tenant's files, in a cache folder. */
export class CachedHeads {
  readonly #heads: DiskCache<FileHead>;
  readonly #lane: number;

  constructor(place: CachePlace, lane: number) {
    this.#heads = openDiskCache(place, "claude-code heads", isHead);
    this.#lane = lane;
  }

  get(root: string, file: string): FileHead | undefined {
    if (this.#heads.isEmpty(this.#lane)) return undefined;
    const identity = new Float64Array(NUMBERS_PER_IDENTITY);
    setIdentity(identity, 0, statEntry(root, file));
    return this.#heads.get(cacheKey(this.#lane, file, "", identity));
  }

  /** @param identity of the file when it was opened to be read, just now */
  set(file: string, identity: FileIdentity, head: FileHead): void {
    const readAt = Date.now();
    this.#heads.setLater(() => ({
      key: cacheKey(this.#lane, file, "", identityNumbers(identity), readAt),
      value: head,
    }));
  }
}

const HEAD: Shape = { key: "number?", instant: "instant?", sessionId: "text?", forkedFrom: "text?" };

function isHead(value: unknown): value is FileHead {
  return fits(value, HEAD);
}

/** The first record with a `uuid` among the first lines; without one, what records before it name. */
function* readHead({ descriptor, identity }: OpenFile): Generator<void, FileHead> {
  try {
    for (const length of PIECES) {
      const beginning = new FirstRecord();
      const piece = readPart(descriptor, 0, Math.min(length, identity.size), memory);
      eachLine(piece, (line) => beginning.follow(line));
      if (beginning.isFound || identity.size <= length) return beginning.head;
    }
    const first = new FirstRecord();
    const range = { from: 0, to: identity.size, line: 1 };
    const follow = (line: Line) => first.follow(line);
    const { tail } = yield* readLines(descriptor, range, follow, () => first.isEnough);
    if (tail !== undefined) first.follow(tail);
    return first.head;
  } finally {
    closeSync(descriptor);
  }
}

class FirstRecord {
  head = NO_HEAD;
  #lines = 0;

  get isFound(): boolean {
    return this.head.key !== undefined;
  }

  get isEnough(): boolean {
    return this.isFound || this.#lines >= MOST_LINES;
  }

  follow(line: Line): void {
    if (this.isEnough) return;
    this.#lines++;
    const { record } = parseLine(line);
    if (record === undefined) return;
    const key = recordKey(record);
    const sessionId = textField(record, "sessionId");
    if (key === undefined) {
      this.head = { ...this.head, sessionId: this.head.sessionId ?? sessionId };
      return;
    }
    const forkedFrom = textField(objectField(record, "forkedFrom"), "sessionId");
    this.head = { key, instant: instantOf(record.timestamp), sessionId, forkedFrom };
  }
}
