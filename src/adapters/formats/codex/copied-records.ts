import { LRUCache } from "lru-cache";
import type { JsonObject } from "../../../domain/json/json.js";
import { ByteFingerprint } from "../../../domain/text/fingerprints.js";
import { statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isSameFile } from "../../files/bytes/file-identities.js";
import type { Line } from "../../files/bytes/line.js";
import { parseRecord } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import { FileKeys } from "../../transcripts/file-keys.js";
import type { Lineage } from "../../transcripts/format.js";
import { openLines } from "../../transcripts/open-lines.js";
import type { CopiedRecord } from "../../transcripts/recorded.js";

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

type Keys = ReadonlyMap<number, CopiedRecord>;

interface KnownCopies {
  readonly identity: FileIdentity;
  readonly sources: readonly string[];
  /** The copied records by where they begin. */
  readonly copies: ReadonlyMap<number, CopiedRecord>;
  /** The keys of the records among and behind them that are none, as far as they were looked at. */
  readonly others: readonly number[];
  readonly isEnded: boolean;
}

const fileKeys = new FileKeys<CopiedRecord>();

/** Of how many files it is kept where their copies lie. */
const copiesInFiles = new LRUCache<string, KnownCopies>({ max: 5_000 });

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
  const before = copiesInFiles.get(file);
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
    copiesInFiles.set(file, { identity, sources, copies, others, isEnded });
    return copies;
  } finally {
    opened.close();
  }
}

function keysOf(root: string, file: string, { ownMember, keyOf, copyOf }: CopyRules): Generator<void, Keys> {
  return fileKeys.of(root, file, (keys, line) => {
    const { record } = parseRecord(line, "latin1");
    if (record === undefined) return;
    const copied = copyOf(record);
    keys.set(lineKey(line, ownMember), copied);
    const otherKey = keyOf(record);
    if (otherKey !== undefined) keys.set(otherKey, copied);
  });
}

/** Of a longer line its ends are taken, and its length. */
const HALF = 4 * 1024;

/** How far from its beginning the member of a line is looked for. */
const NEAR = 256;

/** What lines share that differ in the text of one member alone, as a number of 53 bits. */
export function lineKey({ bytes, from, to }: Line, member: string): number {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const mark = `"${member}":"`;
  const found = buffer.subarray(from, Math.min(to, from + NEAR)).indexOf(mark, 0, "latin1");
  const skipFrom = found === -1 ? from : from + found + mark.length;
  const end = found === -1 ? -1 : buffer.indexOf(0x22, skipFrom);
  const skipTo = end === -1 || end >= to ? skipFrom : end;
  const fingerprint = new ByteFingerprint(to - from - (skipTo - skipFrom));
  fingerprint.add(buffer.subarray(from, skipFrom));
  fingerprint.add(buffer.subarray(skipTo, Math.min(to, skipTo + HALF)));
  if (to > skipTo + HALF) fingerprint.add(buffer.subarray(Math.max(skipTo + HALF, to - HALF), to));
  return fingerprint.toNumber();
}
