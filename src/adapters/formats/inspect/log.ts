import { closeSync } from "node:fs";
import { SourceUnavailableError } from "../../../application/errors.js";
import { KeptWhileSame } from "../../../application/kept-while-same.js";
import { isJsonObject, type JsonObject, labelOf, objectField, textField } from "../../../domain/json/json.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { nameInside, type OpenFile, openContained } from "../../files/bytes/contained-files.js";
import { type FileIdentity, isUnchanged } from "../../files/bytes/file-identities.js";
import { readPart } from "../../files/bytes/line.js";
import { readElements } from "../../files/bytes/read-elements.js";
import { asJson, parsed } from "./python-json.js";
import { readDirectory, readMember, type ZipMember } from "./zip-archive.js";

/** A sample of a log, as far as it is known without being read. */
export interface SampleEntry {
  /** By which it is told from the others: its id and its epoch. */
  readonly name: string;
  /** The same, without the epoch where there is one alone. */
  readonly sessionId: string;
  readonly title: string;
  /** How many bytes of the log it takes. */
  readonly packedSize: number;
  /** Where it lies: a member of an archive, or a part of a document. */
  readonly place: ZipMember | { readonly start: number; readonly length: number };
}

/** A log: what it says of its run, and its samples. */
export interface EvalLog {
  readonly about: JsonObject;
  readonly samples: ReadonlyMap<string, SampleEntry>;
}

const SAMPLE = /^samples\/(.+_epoch_\d+)\.json$/s;
const SUMMARIES = /^_journal\/summaries\/(\d+)\.json$/;

/** What logs hold, without their samples; `null` for files that are none. */
const logs = new KeptWhileSame<FileIdentity, EvalLog | null>({ max: 200 }, isUnchanged);

/**
 * The log that a file holds; `undefined` where it holds none, or is gone.
 *
 * @throws SourceUnavailableError where it is damaged: it says why
 */
export function* logIn(root: string, file: string): Generator<void, EvalLog | undefined> {
  return yield* withFile(root, file, (opened) => logOf(root, file, opened));
}

/** The bytes of a sample, as JSON; `undefined` where it is gone. */
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
        ? named(root, file, () => readMember(descriptor, identity.size, place))
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
  const known = logs.get(file, identity);
  if (known !== undefined) return known ?? undefined;
  const isDocument = file.endsWith(".json");
  const log = isDocument
    ? yield* logOfDocument(descriptor, identity.size)
    : named(root, file, () => logOfArchive(descriptor, identity.size));
  yield;
  return logs.keep(file, identity, log ?? null) ?? undefined;
}

/** What is read of an archive, with errors that name it. */
function named<T>(root: string, file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SourceUnavailableError)) throw error;
    throw new SourceUnavailableError(`${nameInside(root, file)} cannot be read. ${error.message}`, {
      cause: error,
    });
  }
}

/** An archive that is still being written has no header: what is known at the start lies in its journal. */
function logOfArchive(descriptor: number, size: number): EvalLog | undefined {
  const members = readDirectory(descriptor, size);
  if (members === undefined) return undefined;
  const read = (name: string): unknown => {
    const member = members.get(name);
    return member && parsed(readMember(descriptor, size, member));
  };
  const about = ["header.json", "_journal/start.json"].map(read).find(isJsonObject);
  if (about === undefined) return undefined;
  const journal = [...members.keys()].filter((name) => SUMMARIES.test(name));
  const listed = members.has("summaries.json") ? ["summaries.json"] : journal;
  const summaries = new Map<string, JsonObject>();
  for (const one of listed.flatMap(read).filter(isJsonObject)) summaries.set(nameOf(one), one);
  const samples = new Map<string, SampleEntry>();
  for (const [name, place] of members) {
    const found = SAMPLE.exec(name)?.[1];
    if (found !== undefined) samples.set(found, entryOf(found, summaries.get(found), about, place));
  }
  return { about, samples };
}

const WANTED = ["id", "epoch", "scores", "error"] as const;

/** The same where all of a log is one document. */
function* logOfDocument(descriptor: number, size: number): Generator<void, EvalLog | undefined> {
  if (
    !/"eval"\s*:\s*\{/.test(
      bytesOf(descriptor, { start: 0, length: Math.min(size, BEGINNING) }).toString("latin1"),
    )
  )
    return undefined;
  let about: JsonObject = {};
  const samples = new Map<string, SampleEntry>();
  const lexer = new JsonLexer(WANTED);
  yield* readElements(
    descriptor,
    { to: size, member: "samples" },
    ({ bytes, from, to, start, length, problem }) => {
      if (problem !== undefined) return;
      const text = asJson(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from));
      if (lexer.read(text, 0, text.length) !== "object") return;
      if (lexer.start(0) < 0) {
        const members = parsed(text);
        if (isJsonObject(members)) about = { ...about, ...members };
        return;
      }
      const values = WANTED.map((name, i) => [
        name,
        lexer.start(i) < 0 ? undefined : parsed(text.subarray(lexer.start(i), lexer.end(i))),
      ]);
      const summary = Object.fromEntries(values) as JsonObject;
      const name = nameOf(summary);
      samples.set(name, entryOf(name, summary, about, { start, length }));
    },
  );
  return textField(about, "status") !== undefined && isJsonObject(about.eval)
    ? { about, samples }
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
  // Half a character, which JSON can hold, is none that a path has.
  return Buffer.from(`${labelOf(id) ?? "sample"}_epoch_${labelOf(epoch) ?? 1}`).toString();
}

/** A sample is called by its task, its id, and what it scored. */
function entryOf(
  name: string,
  summary: JsonObject = {},
  about: JsonObject,
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
    const shown = labelOf(value) ?? JSON.stringify(value);
    return scores.length === 1 ? shown : `${scorer} ${shown}`;
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
