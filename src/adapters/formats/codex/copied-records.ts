import { LRUCache } from "lru-cache";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { ByteFingerprint, hash53 } from "../../../domain/text/fingerprints.js";
import { statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isSameFile } from "../../files/bytes/file-identities.js";
import type { Line } from "../../files/bytes/line.js";
import { parseRecord } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import { FileKeys } from "../../transcripts/folder/file-keys.js";
import type { Lineage } from "../../transcripts/folder/format.js";
import { openLines } from "../../transcripts/folder/open-lines.js";
import type { CopiedRecord } from "../../transcripts/recorder/record-origin.js";
import { entryOf } from "./record.js";
import { isMessage } from "./tools.js";
import { usageIn } from "./usage.js";

type Keys = ReadonlyMap<number, CopiedRecord>;

interface CachedCopies {
  readonly identity: FileIdentity;
  readonly sources: readonly string[];
  readonly copies: ReadonlyMap<number, CopiedRecord>;
  /** Keys of the records that are not copies, as far as they were read. */
  readonly others: readonly number[];
  readonly isEnded: boolean;
}

const fileKeys = new FileKeys<CopiedRecord>();

const copiesInFiles = new LRUCache<string, CachedCopies>({ max: 5_000 });

/**
 * The copies at the beginning of a file, never its first record. Ids of threads and turns begin with the time: copied turns are older
 * than their thread. Without such ids, a record is a copy if it equals a record of `sources`.
 */
export function* copiedRecords(
  root: string,
  file: string,
  sources: readonly string[],
): Generator<void, Lineage> {
  const copies = (yield* copiesOfTurns(root, file)) ?? (yield* copiesIn(root, file, sources));
  const name = copies.size === 0 ? "" : `${copies.size} copies of ${sources.join(" ")}`;
  return { name, isReplay: () => false, copyAt: (start) => copies.get(start) };
}

const NONE: Keys = new Map();

const copiesBeforeTurns = new CachedWhileSame<FileIdentity, Copies | null>(
  { max: 5_000 },
  (before, now) => isSameFile(before, now) && before.size <= now.size,
);

type Copies = ReadonlyMap<number, CopiedRecord>;

/** `undefined` if no record decides this, or no record was copied. */
function* copiesOfTurns(root: string, file: string): Generator<void, Copies | undefined> {
  const stats = statEntry(root, file);
  if (stats === undefined) return undefined;
  const identity = identify(stats);
  const cached = copiesBeforeTurns.get(file, identity);
  if (cached !== undefined) return cached ?? undefined;
  const opened = yield* openLines(root, file);
  if (opened === undefined) return undefined;
  try {
    const search = new OwnTurnSearch();
    const range = { from: 0, to: opened.identity.size, line: 1 };
    const take = (line: Line) => search.take(line);
    yield* readLines(opened.descriptor, range, take, () => search.isOver);
    if (search.isOver) copiesBeforeTurns.keep(file, identity, search.copies ?? null);
    return search.copies;
  } finally {
    opened.close();
  }
}

const MOST_RECORDS = 2_000;

/** UUIDv7: ids sort by time. */
const TIMED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i;

class OwnTurnSearch {
  readonly #before = new Map<number, CopiedRecord>();
  #threadId: string | undefined;
  #isCopied = false;
  #isOver = false;
  #isComplete = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  get copies(): Copies | undefined {
    return this.#isComplete && this.#isCopied ? this.#before : undefined;
  }

  take(line: Line): void {
    const { record } = this.#isOver ? {} : parseRecord(line, "latin1");
    if (record === undefined) return;
    const { type, payload, kind } = entryOf(record);
    if (this.#threadId === undefined) {
      this.#threadId = type === "session_meta" ? (textField(payload, "id") ?? "") : "";
      this.#isOver = !TIMED_ID.test(this.#threadId);
      return;
    }
    const turnId = kind === "task_started" ? (textField(payload, "turn_id") ?? "") : undefined;
    if (turnId === undefined) {
      this.#isCopied ||= type === "session_meta" && textField(payload, "id") !== this.#threadId;
      this.#before.set(line.start, copyOf(record));
      this.#isOver = !this.#isCopied && this.#before.size >= MOST_RECORDS;
      return;
    }
    this.#isComplete = TIMED_ID.test(turnId) && turnId > this.#threadId;
    this.#isOver = this.#isComplete || !TIMED_ID.test(turnId);
    if (this.#isOver) return;
    this.#isCopied = true;
    this.#before.set(line.start, copyOf(record));
  }
}

function* copiesIn(
  root: string,
  file: string,
  sources: readonly string[],
): Generator<void, CachedCopies["copies"]> {
  const stats = statEntry(root, file);
  if (stats === undefined) return NONE;
  const identity = identify(stats);
  const before = copiesInFiles.get(file);
  const keys: Keys[] = [];
  for (const source of sources) keys.push(yield* keysOf(root, source));
  const find = (key: number | undefined) => {
    for (const cached of key === undefined ? [] : keys) if (cached.has(key!)) return cached.get(key!);
    return undefined;
  };
  const isSame = before !== undefined && before.sources.join("\0") === sources.join("\0");
  const onlyGrew = isSame && isSameFile(before.identity, identity) && before.identity.size <= identity.size;
  // Records after the copies do not change the set of copies; records added to their sources may.
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
      const key = lineKey(line, OWN_MEMBER);
      let copied = find(key);
      const { record } = copied === undefined ? parseRecord(line, "latin1") : {};
      const otherKey = record && totalsKeyOf(record);
      copied ??= find(otherKey);
      if (copied !== undefined) copies.set(line.start, copied);
      else if (record !== undefined) {
        others.push(key, ...(otherKey === undefined ? [] : [otherKey]));
        isEnded = endsCopies(record);
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

function keysOf(root: string, file: string): Generator<void, Keys> {
  return fileKeys.of(root, file, (keys, line) => {
    const { record } = parseRecord(line, "latin1");
    if (record === undefined) return;
    const copied = copyOf(record);
    keys.set(lineKey(line, OWN_MEMBER), copied);
    const otherKey = totalsKeyOf(record);
    if (otherKey !== undefined) keys.set(otherKey, copied);
  });
}

/** Copies are equal byte for byte except for this member. */
const OWN_MEMBER = "timestamp";

/** A copy of a record of totals may have another order of members. */
function totalsKeyOf(record: JsonObject): number | undefined {
  const { payload, kind } = entryOf(record);
  if (kind !== "token_count") return undefined;
  const info = objectField(payload, "info");
  const usages = ["last_token_usage", "total_token_usage"].map((name) => usageIn(objectField(info, name)));
  return hash53(jsonTextOf([kind, usages, payload.rate_limits])!);
}

function copyOf(record: JsonObject): CopiedRecord {
  const entry = entryOf(record);
  const isNeeded = entry.type === "turn_context" || entry.kind === "token_count";
  return { isMessage: isMessage(entry), isNeeded };
}

/** Settings are also written beside copies; the first event or item of the thread's own work ends them. */
function endsCopies(record: JsonObject): boolean {
  const { type, payload, kind } = entryOf(record);
  return (
    type === "event_msg" || (type === "response_item" && (kind !== "message" || payload.role === "assistant"))
  );
}

/** Of a longer line its ends are taken, and its length. */
const HALF = 4 * 1024;

const NEAR = 256;

/** A number of 53 bits, equal for lines that differ only in the text of one member. */
export function lineKey({ bytes, from, to }: Line, member: string): number {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const mark = `"${member}":"`;
  const position = buffer.subarray(from, Math.min(to, from + NEAR)).indexOf(mark, 0, "latin1");
  const skipFrom = position === -1 ? from : from + position + mark.length;
  const end = position === -1 ? -1 : buffer.indexOf(0x22, skipFrom);
  const skipTo = end === -1 || end >= to ? skipFrom : end;
  const fingerprint = new ByteFingerprint(to - from - (skipTo - skipFrom));
  fingerprint.add(buffer.subarray(from, skipFrom));
  fingerprint.add(buffer.subarray(skipTo, Math.min(to, skipTo + HALF)));
  if (to > skipTo + HALF) fingerprint.add(buffer.subarray(Math.max(skipTo + HALF, to - HALF), to));
  return fingerprint.toNumber();
}
