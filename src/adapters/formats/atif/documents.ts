import { closeSync } from "node:fs";
import path from "node:path";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { callsOfStep } from "../../../domain/conversation/trajectory-steps.js";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { openContained, readableOrNone } from "../../files/bytes/contained-files.js";
import { type FileIdentity, isUnchanged } from "../../files/bytes/file-identities.js";
import { type Line, readPart } from "../../files/bytes/line.js";
import { parseRecord } from "../../files/bytes/parse-line.js";
import { readElements } from "../../files/bytes/read-elements.js";
import { DOCUMENT_RECORDS } from "../../files/bytes/reading-budget.js";
import { namesIn } from "../../transcripts/folder/file-lookups.js";
import * as atif from "./record.js";

/** A reference to a sub-agent's trajectory, or to the document that continues this one. */
export interface Named {
  readonly reference: JsonObject;
  readonly toolCallId: string | undefined;
}

export interface TrajectoryDocument {
  readonly path: string;
  readonly sessionId: string | undefined;
  readonly trajectoryId: string | undefined;
  readonly agent: string | undefined;
  readonly names: readonly Named[];
  readonly continued: string | undefined;
}

/** Bytes: a trajectory names its format at its beginning. */
const BEGINNING = 64 * 1024;
const MARK = /"schema_version"\s*:\s*"ATIF-v/;

/** Names in records that refer to documents; other records are unnecessary. */
const OWN_NAMES = [atif.CONTINUED, "schema_version"];
const NAMES = [atif.REFERENCE, ...OWN_NAMES];

const ABOUT = ["schema_version", "session_id", "trajectory_id", "agent", atif.CONTINUED];

const MOST_NAMES = 10_000;

/** Shared: tasks examine one file at a time. */
const memory = new Uint8Array(BEGINNING);

/** `<job>/<trial>/agent`, below a folder of jobs. */
const DEEPEST = 3;

/** `null` for files that are not documents. */
const documents = new CachedWhileSame<FileIdentity, TrajectoryDocument | null>({ max: 20_000 }, isUnchanged);

/** @param most bounds of the results and of the examined files and folders. Default is no bound */
export function* documentsIn(
  root: string,
  folder: string,
  most: { readonly documents: number; readonly looks: number } = { documents: Infinity, looks: Infinity },
): Generator<void, TrajectoryDocument[]> {
  const trajectories: TrajectoryDocument[] = [];
  let { looks: left } = most;
  const open = [{ at: folder, depth: 0 }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { at, depth } = next;
    if (left-- <= 0) return trajectories;
    const { files, folders } = readableOrNone(() => namesIn(root, at)) ?? { files: [], folders: [] };
    for (const name of files.filter((one) => one.endsWith(".json"))) {
      if (left-- <= 0 || trajectories.length === most.documents) return trajectories;
      const document = yield* documentOf(root, path.join(at, name));
      if (document !== undefined) trajectories.push(document);
    }
    if (depth === DEEPEST) continue;
    for (const name of folders)
      if (!/^\.|^node_modules$/.test(name)) open.push({ at: path.join(at, name), depth: depth + 1 });
  }
  return trajectories;
}

export function* documentOf(root: string, file: string): Generator<void, TrajectoryDocument | undefined> {
  const opened = readableOrNone(() => openContained(root, file));
  if (opened === undefined) return undefined;
  const { descriptor, identity } = opened;
  try {
    const cached = documents.get(file, identity);
    if (cached !== undefined) return cached ?? undefined;
    const { bytes } = readPart(descriptor, 0, Math.min(BEGINNING, identity.size), memory);
    const isMarked = MARK.test(Buffer.from(bytes).toString("latin1"));
    yield;
    const document = isMarked ? yield* readDocument(descriptor, identity.size, file) : null;
    return documents.keep(file, identity, document) ?? undefined;
  } finally {
    closeSync(descriptor);
  }
}

function* readDocument(
  descriptor: number,
  size: number,
  file: string,
): Generator<void, TrajectoryDocument | null> {
  let about: JsonObject = {};
  const names: Named[] = [];
  let records = 0;
  const take = (line: Line) => {
    records++;
    const needed = names.length < MOST_NAMES ? NAMES : OWN_NAMES;
    const isNeeded = line.number === 1 || needed.some((name) => holds(line, name));
    const record = isNeeded ? parseRecord(line).record : undefined;
    if (record === undefined) return;
    if (!atif.isStep(record)) about = { ...about, ...aboutIn(record) };
    else if (names.length < MOST_NAMES) names.push(...namedIn(record).slice(0, MOST_NAMES));
  };
  // The session's own reading has the same limit, and reports it.
  const isEnough = () => records >= DOCUMENT_RECORDS;
  yield* readElements(descriptor, { to: size, member: atif.STEPS }, take, isEnough);
  if (atif.versionOf(about) === undefined) return null;
  return {
    path: file,
    sessionId: textField(about, "session_id"),
    trajectoryId: textField(about, "trajectory_id"),
    agent: textField(objectField(about, "agent"), "name"),
    names,
    continued: textField(about, atif.CONTINUED),
  };
}

/** Records add up: repeated members do not count. */
function aboutIn(record: JsonObject): JsonObject {
  return Object.fromEntries(
    ABOUT.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]),
  );
}

function holds({ bytes, from, to, problem }: Line, name: string): boolean {
  if (problem !== undefined) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).includes(name);
}

function namedIn(step: JsonObject): Named[] {
  const { calls, loose } = callsOfStep(step);
  return [
    ...calls.flatMap(({ results, toolCallId }) =>
      atif.referencesIn(results).map((reference) => ({ reference, toolCallId })),
    ),
    ...atif.referencesIn(loose).map((reference) => ({ reference, toolCallId: undefined })),
  ];
}
