import { LRUCache } from "lru-cache";
import type { JsonObject } from "../../../domain/json/json.js";
import { statEntry } from "../../files/bytes/contained-files.js";
import { type FileEnd, readGrowth } from "../../files/bytes/file-growth.js";
import { type FileIdentity, identify, isSameFile, isUnchanged } from "../../files/bytes/file-identity.js";
import type { Line } from "../../files/bytes/line.js";
import { parseRecord } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import type { Lineage } from "../../transcripts/format.js";
import { openLines } from "../../transcripts/open-lines.js";
import type { CopiedRecord } from "../../transcripts/recorded.js";
import { lineKey } from "./line-key.js";

/** How a format's copies of records are known: files that begin with another one's records, with instants of their own. */
export interface CopyRules {
  /** The member that copies have of their own. */
  readonly ownMember: string;
  /** What else a record and a copy of it share that is written in another way; `undefined` for all that are copied byte for byte. */
  keyOf(record: JsonObject): number | undefined;
  /** What is wanted of copies of a record. */
  copyOf(record: JsonObject): CopiedRecord;
  /** Whether no copy lies behind a record that is none itself. */
  endsCopies(record: JsonObject): boolean;
}

/** Of how many records of a file the keys are taken, about: copies are what a file begins with. */
const MOST_KEYS = 500_000;

type Keys = ReadonlyMap<number, CopiedRecord>;

interface KnownKeys extends FileEnd {
  readonly keys: Map<number, CopiedRecord>;
  /** Of the file itself, where that one was unpacked. */
  readonly stored: FileIdentity;
}

interface KnownCopies {
  readonly identity: FileIdentity;
  readonly sources: readonly string[];
  /** The copied records by where they begin. */
  readonly copies: ReadonlyMap<number, CopiedRecord>;
  /** The keys of the records among and behind them that are none, as far as they were looked at. */
  readonly others: readonly number[];
  readonly isEnded: boolean;
}

/** About how many keys are kept, and of how many files where their copies lie. */
const knownKeys = new LRUCache<string, KnownKeys>({ maxSize: 1_000_000 });
const knownCopies = new LRUCache<string, KnownCopies>({ max: 5_000 });

/**
 * The records at the beginning of a file that are copies of records of other files. Its first record is never one.
 *
 * @param sources the files that may hold the originals
 */
export function* copiedRecords(
  root: string,
  file: string,
  sources: readonly string[],
  rules: CopyRules,
): Generator<void, Lineage> {
  const copies = yield* copiesIn(root, file, sources, rules);
  const name = copies.size === 0 ? "" : `${copies.size} copies of ${sources.join(" ")}`;
  return { name, isReplay: () => false, copyAt: (start) => copies.get(start) };
}

const NONE: Keys = new Map();

function* copiesIn(
  root: string,
  file: string,
  sources: readonly string[],
  rules: CopyRules,
): Generator<void, KnownCopies["copies"]> {
  const stats = statEntry(root, file);
  if (stats === undefined) return NONE;
  const identity = identify(stats);
  const before = knownCopies.get(file);
  const keys: Keys[] = [];
  for (const source of sources) keys.push(yield* keysOf(root, source, rules));
  const find = (key: number | undefined) => {
    for (const known of key === undefined ? [] : keys) if (known.has(key!)) return known.get(key!);
    return undefined;
  };
  const isSame = before !== undefined && before.sources.join("\0") === sources.join("\0");
  const onlyGrew = isSame && isSameFile(before.identity, identity) && before.identity.size <= identity.size;
  // What lies behind the copies does not change which there are; what was added to their sources may.
  if (onlyGrew && before.isEnded && before.others.every((key) => find(key) === undefined))
    return before.copies;
  const opened = yield* openLines(root, file);
  if (opened === undefined) return NONE;
  try {
    const copies = new Map<number, CopiedRecord>();
    const others: number[] = [];
    let isEnded = false;
    let isFirst = true;
    const follow = (line: Line) => {
      if (isEnded || line.problem !== undefined) return;
      const wasFirst = isFirst;
      isFirst = false;
      if (wasFirst) return;
      const key = lineKey(line, rules.ownMember);
      let copied = find(key);
      const { record } = copied === undefined ? parseRecord(line, "latin1") : {};
      const otherKey = record && rules.keyOf(record);
      copied ??= find(otherKey);
      if (copied !== undefined) copies.set(line.start, copied);
      else if (record !== undefined) {
        others.push(key, ...(otherKey === undefined ? [] : [otherKey]));
        isEnded = rules.endsCopies(record);
      }
    };
    const range = { from: 0, to: opened.identity.size, line: 1 };
    yield* readLines(opened.descriptor, range, follow, () => isEnded);
    knownCopies.set(file, { identity, sources, copies, others, isEnded });
    return copies;
  } finally {
    opened.close();
  }
}

function* keysOf(root: string, file: string, rules: CopyRules): Generator<void, Keys> {
  const stats = statEntry(root, file);
  const before = knownKeys.get(file);
  if (stats === undefined) return NONE;
  const stored = identify(stats);
  if (before !== undefined && isUnchanged(before.stored, stored)) return before.keys;
  const opened = yield* openLines(root, file);
  if (opened === undefined) return NONE;
  try {
    const found = yield* readGrowth(opened, before, function* (from, state) {
      const keys = new Map(from?.keys);
      const add = (line: Line) => {
        const { record } = parseRecord(line, "latin1");
        if (record === undefined) return;
        const copied = rules.copyOf(record);
        keys.set(lineKey(line, rules.ownMember), copied);
        const otherKey = rules.keyOf(record);
        if (otherKey !== undefined) keys.set(otherKey, copied);
      };
      const range = { from: from?.offset ?? 0, to: state.identity.size, line: 1 };
      const { offset } = yield* readLines(opened.descriptor, range, add, () => keys.size >= MOST_KEYS);
      return { ...state, keys, offset, stored };
    });
    knownKeys.set(file, found, { size: found.keys.size + 1 });
    return found.keys;
  } finally {
    opened.close();
  }
}
