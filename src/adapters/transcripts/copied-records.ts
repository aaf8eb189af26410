import { LRUCache } from "lru-cache";
import type { JsonObject } from "../../domain/json.js";
import { statEntry } from "../jsonl/contained-files.js";
import { type FileEnd, readGrowth } from "../jsonl/file-growth.js";
import { type FileIdentity, identify, isSameFile, isUnchanged } from "../jsonl/file-identity.js";
import type { Line } from "../jsonl/line.js";
import { openLines } from "../jsonl/open-lines.js";
import { parseRecord } from "../jsonl/parse-line.js";
import { readLines } from "../jsonl/read-lines.js";
import type { Lineage } from "./format.js";

/** How a format's copies of records are known: files that begin with another one's records, with instants of their own. */
export interface CopyRules {
  /** What a record and its copies share. */
  keyOf(record: JsonObject): number;
  /** Whether no copy lies behind a record that is none itself. */
  endsCopies(record: JsonObject): boolean;
}

/** Of how many records of a file the keys are taken, about: copies are what a file begins with. */
const MOST_KEYS = 500_000;

interface KnownKeys extends FileEnd {
  readonly keys: Set<number>;
}

interface KnownCopies {
  readonly identity: FileIdentity;
  readonly sources: readonly string[];
  /** Where the copied records begin. */
  readonly starts: ReadonlySet<number>;
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
  const { starts } = yield* copiesIn(root, file, sources, rules);
  const name = starts.size === 0 ? "" : `${starts.size} copies of ${sources.join(" ")}`;
  return { name, isReplay: (_, { start }) => starts.has(start) };
}

const NO_COPIES = { starts: new Set<number>() };

function* copiesIn(
  root: string,
  file: string,
  sources: readonly string[],
  rules: CopyRules,
): Generator<void, Pick<KnownCopies, "starts">> {
  const stats = statEntry(root, file);
  if (stats === undefined) return NO_COPIES;
  const identity = identify(stats);
  const before = knownCopies.get(file);
  const keys: ReadonlySet<number>[] = [];
  for (const source of sources) keys.push(yield* keysOf(root, source, rules));
  const isCopy = (key: number) => keys.some((known) => known.has(key));
  const isSame = before !== undefined && before.sources.join("\0") === sources.join("\0");
  const onlyGrew = isSame && isSameFile(before.identity, identity) && before.identity.size <= identity.size;
  // What lies behind the copies does not change which there are; what was added to their sources may.
  if (onlyGrew && before.isEnded && !before.others.some(isCopy)) return before;
  const opened = yield* openLines(root, file);
  if (opened === undefined) return NO_COPIES;
  try {
    const starts = new Set<number>();
    const others: number[] = [];
    let isEnded = false;
    let isFirst = true;
    const follow = (line: Line) => {
      if (isEnded) return;
      const { record } = parseRecord(line, "latin1");
      if (record !== undefined && !isFirst) {
        const key = rules.keyOf(record);
        if (isCopy(key)) starts.add(line.start);
        else {
          others.push(key);
          isEnded = rules.endsCopies(record);
        }
      }
      isFirst = false;
    };
    const range = { from: 0, to: opened.identity.size, line: 1 };
    yield* readLines(opened.descriptor, range, follow, () => isEnded);
    const found = { identity, sources, starts, others, isEnded };
    knownCopies.set(file, found);
    return found;
  } finally {
    opened.close();
  }
}

function* keysOf(root: string, file: string, rules: CopyRules): Generator<void, ReadonlySet<number>> {
  const opened = yield* openLines(root, file);
  if (opened === undefined) return new Set();
  try {
    const before = knownKeys.get(file);
    if (before !== undefined && isUnchanged(before.identity, opened.identity)) return before.keys;
    const found = yield* readGrowth(opened, before, function* (from, state) {
      const keys = new Set(from?.keys);
      const add = (line: Line) => {
        const { record } = parseRecord(line, "latin1");
        if (record !== undefined) keys.add(rules.keyOf(record));
      };
      const range = { from: from?.offset ?? 0, to: state.identity.size, line: 1 };
      const { offset } = yield* readLines(opened.descriptor, range, add, () => keys.size >= MOST_KEYS);
      return { ...state, keys, offset };
    });
    knownKeys.set(file, found, { size: found.keys.size + 1 });
    return found.keys;
  } finally {
    opened.close();
  }
}
