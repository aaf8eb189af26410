import { closeSync } from "node:fs";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { ReadingLimitError, SourceUnavailableError } from "../../../application/errors.js";
import {
  isJsonObject,
  type JsonObject,
  labelOf,
  objectField,
  present,
  textField,
} from "../../../domain/json/json.js";
import { OPEN_BRACKET } from "../../../domain/json/json-bytes.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { nameInside, type OpenFile, openContained } from "../../files/bytes/contained-files.js";
import { type FileIdentity, isUnchanged } from "../../files/bytes/file-identities.js";
import { type Line, lineIn, readPart } from "../../files/bytes/line.js";
import { shortenedValue } from "../../files/bytes/parse-line.js";
import { readElements } from "../../files/bytes/read-elements.js";
import { elementsOf } from "../../transcripts/trace/nested-elements.js";
import { asJson } from "./python-json.js";
import { isInside, readDirectory, readMember, type ZipMember } from "./zip-archive.js";

interface SampleEntry {
  /** Unique: the id and the epoch. */
  readonly name: string;
  /** The name, without the epoch if there is only one. */
  readonly sessionId: string;
  readonly title: string;
  readonly packedSize: number;
  readonly place: ZipMember | { readonly start: number; readonly length: number };
}

export interface EvalLog {
  readonly about: RunHeader;
  readonly samples: ReadonlyMap<string, SampleEntry>;
  /** Samples in the directory that the file does not contain. */
  readonly outside: number;
}

/** The rest of a header, such as all results, may be large. */
export type RunHeader = { readonly [Name in (typeof HEADER)[number]]?: unknown };

const HEADER = ["version", "status", "error", "eval"] as const;

const SAMPLE = /^samples\/(.+_epoch_\d+)\.json$/s;
const SUMMARIES = /^_journal\/summaries\/(\d+)\.json$/;

const LONGEST_HEADER = 16 * 1024 * 1024;
const LONGEST_SUMMARIES = 64 * 1024 * 1024;
const TIMES_PACKED = 64;

/** In memory while its lines are written. */
const LONGEST_SAMPLE = 256 * 1024 * 1024;

const MOST_SAMPLES = 50_000;

const logs = new CachedWhileSame<FileIdentity, EvalLog | null>({ maxSize: 64 * 1024 * 1024 }, isUnchanged);

const BYTES_A_SAMPLE = 1_000;
const TIMES_IN_MEMORY = 8;

/**
 * `undefined` for a file that is no log, or is gone.
 * @throws SourceUnavailableError with the reason for a damaged log
 */
export function* logIn(root: string, file: string): Generator<void, EvalLog | undefined> {
  return yield* withFile(root, file, (opened) => logOf(root, file, opened));
}

/** JSON; `undefined` for a sample that is gone. */
export function* sampleIn(
  root: string,
  file: string,
  name: string,
): Generator<void, { readonly log: EvalLog; readonly bytes: Buffer } | undefined> {
  return yield* withFile(root, file, function* (opened) {
    const log = yield* logOf(root, file, opened);
    const place = log?.samples.get(name)?.place;
    if (log === undefined || place === undefined) return undefined;
    const { descriptor, identity } = opened;
    const bytes =
      "method" in place
        ? named(root, file, () => readMember(descriptor, identity.size, place, LONGEST_SAMPLE))
        : bytesOf(descriptor, place);
    return { log, bytes: asJson(bytes) };
  });
}

function* withFile<T>(
  root: string,
  file: string,
  read: (opened: OpenFile) => Generator<void, T | undefined>,
): Generator<void, T | undefined> {
  const opened = openContained(root, file);
  if (opened === undefined) return undefined;
  try {
    return yield* read(opened);
  } finally {
    closeSync(opened.descriptor);
  }
}

function* logOf(root: string, file: string, opened: OpenFile): Generator<void, EvalLog | undefined> {
  const { descriptor, identity } = opened;
  const cached = logs.get(file, identity);
  if (cached !== undefined) return cached ?? undefined;
  const isDocument = file.endsWith(".json");
  const log = isDocument
    ? yield* logOfDocument(descriptor, identity.size)
    : named(root, file, () => logOfArchive(descriptor, identity.size));
  yield;
  return logs.keep(file, identity, log ?? null, sizeOf(log)) ?? undefined;
}

function sizeOf(log: EvalLog | undefined): number {
  if (log === undefined) return 1;
  return BYTES_A_SAMPLE * (1 + log.samples.size) + TIMES_IN_MEMORY * JSON.stringify(log.about).length;
}

function named<T>(root: string, file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SourceUnavailableError)) throw error;
    const SameError = error instanceof ReadingLimitError ? ReadingLimitError : SourceUnavailableError;
    throw new SameError(`${nameInside(root, file)} cannot be read. ${error.message}`, { cause: error });
  }
}

/** An unfinished archive has no header: its journal contains the facts from the start. */
function logOfArchive(descriptor: number, size: number): EvalLog | undefined {
  const members = readDirectory(descriptor, size, isOfLog);
  if (members === undefined) return undefined;
  const read = (name: string, most: number): Buffer | undefined => {
    const member = members.get(name);
    if (member === undefined) return undefined;
    return asJson(
      readMember(descriptor, size, member, Math.min(most, TIMES_PACKED * member.packedSize + SMALL)),
    );
  };
  const about = HEADERS.map((name) => headerIn(read(name, LONGEST_HEADER))).find((one) => one !== undefined);
  if (about === undefined) return undefined;
  const journal = [...members.keys()].filter((name) => SUMMARIES.test(name));
  const listed = members.has("summaries.json") ? ["summaries.json"] : journal;
  const summaries = new Map<string, JsonObject>();
  for (const name of listed)
    for (const one of summariesIn(read(name, LONGEST_SUMMARIES))) summaries.set(nameOf(one), one);
  const samples = new Map<string, SampleEntry>();
  let outside = 0;
  for (const [name, place] of members) {
    const sample = SAMPLE.exec(name)?.[1];
    if (sample === undefined) continue;
    if (isInside(place, size)) samples.set(sample, entryOf(sample, summaries.get(sample), about, place));
    else outside++;
    assertFew(samples.size);
  }
  return { about, samples, outside };
}

const HEADERS = ["header.json", "_journal/start.json"];

/** A smaller member may unpack to any multiple of its packed size. */
const SMALL = 64 * 1024;

function isOfLog(name: string): boolean {
  return name === "summaries.json" || HEADERS.includes(name) || SUMMARIES.test(name) || SAMPLE.test(name);
}

function assertFew(samples: number): void {
  if (samples > MOST_SAMPLES)
    throw new ReadingLimitError(`It has more than ${MOST_SAMPLES} samples. Move it out of the folder.`);
}

/** Cuts long strings of a long header; `undefined` if it is no object. */
function headerIn(bytes: Buffer | undefined): RunHeader | undefined {
  const lexer = new JsonLexer(HEADER);
  if (bytes === undefined || lexer.read(bytes, 0, bytes.length) !== "object") return undefined;
  return Object.fromEntries(HEADER.map((name, i) => [name, valueIn(bytes, lexer, i)]));
}

/** `undefined` if the member is absent, or long even without its strings. */
function valueIn(bytes: Buffer, lexer: JsonLexer, member: number): unknown {
  const [start, end] = [lexer.start(member), lexer.end(member)];
  return start < 0 ? undefined : shortenedValue(bytes, start, end);
}

const WANTED = ["id", "epoch", "scores", "error"] as const;

function* summariesIn(bytes: Buffer | undefined): Generator<JsonObject, void> {
  if (bytes === undefined) return;
  const line = lineIn(bytes);
  for (const { from, to } of bytes[0] === OPEN_BRACKET ? elementsOf(line) : [line]) {
    const summary = summaryIn(bytes, from, to);
    if (summary !== undefined) yield summary;
  }
}

function summaryIn(bytes: Buffer, from: number, to: number): JsonObject | undefined {
  const lexer = new JsonLexer(WANTED);
  if (lexer.read(bytes, from, to) !== "object") return undefined;
  return Object.fromEntries(WANTED.map((name, i) => [name, valueIn(bytes, lexer, i)]));
}

function* logOfDocument(descriptor: number, size: number): Generator<void, EvalLog | undefined> {
  if (
    !/"eval"\s*:\s*\{/.test(
      bytesOf(descriptor, { start: 0, length: Math.min(size, BEGINNING) }).toString("latin1"),
    )
  )
    return undefined;
  let about: RunHeader = {};
  const samples = new Map<string, SampleEntry>();
  const take = ({ bytes, from, to, start, length, problem }: Line) => {
    if (problem !== undefined) return;
    const text = asJson(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from));
    const summary = summaryIn(text, 0, text.length);
    if (summary === undefined) return;
    if (summary.id === undefined) {
      about = { ...about, ...present(headerIn(text) ?? {}) };
      return;
    }
    const name = nameOf(summary);
    samples.set(name, entryOf(name, summary, about, { start, length }));
    assertFew(samples.size);
  };
  yield* readElements(descriptor, { to: size, member: "samples" }, take);
  return textField(about, "status") !== undefined && isJsonObject(about.eval)
    ? { about, samples, outside: 0 }
    : undefined;
}

const BEGINNING = 64 * 1024;

function bytesOf(
  descriptor: number,
  { start, length }: { readonly start: number; readonly length: number },
): Buffer {
  return Buffer.from(readPart(descriptor, start, start + length, Buffer.alloc(length)).bytes);
}

function nameOf({ id, epoch }: JsonObject): string {
  // A lone surrogate, which JSON can contain, cannot occur in a path.
  return Buffer.from(`${labelOf(id) ?? "sample"}_epoch_${labelOf(epoch) ?? 1}`).toString();
}

function entryOf(
  name: string,
  summary: JsonObject = {},
  about: RunHeader,
  place: SampleEntry["place"],
): SampleEntry {
  const { eval: run } = about;
  const task = isJsonObject(run)
    ? (textField(run, "task_display_name") ?? textField(run, "task"))
    : undefined;
  const epochs = isJsonObject(run) ? objectField(run, "config").epochs : undefined;
  const [id, epoch] = name.split(/_epoch_(?=\d+$)/);
  const scores = Object.entries(objectField(summary, "scores"));
  const scored = scores.map(([scorer, score]) => {
    const value = isJsonObject(score) ? score.value : score;
    const label = labelOf(value) ?? JSON.stringify(value);
    return scores.length === 1 ? label : `${scorer} ${label}`;
  });
  const failed = summary.error === undefined || summary.error === null ? [] : ["error"];
  const isNumbered = (typeof epochs === "number" && epochs > 1) || epoch !== "1";
  const which = isNumbered ? `${id} (epoch ${epoch})` : id!;
  const ended = [...scored, ...failed].join(", ");
  const title = `${task ?? ""} ${which}${ended === "" ? "" : `: ${ended}`}`.trim();
  return {
    name,
    sessionId: isNumbered ? name : id!,
    title,
    packedSize: "method" in place ? place.packedSize : place.length,
    place,
  };
}
