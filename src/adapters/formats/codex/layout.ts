import path from "node:path";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { compareText } from "../../../domain/lists/compare-text.js";
import { statContained, statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isUnchanged } from "../../files/bytes/file-identities.js";
import type { Line } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import { isPacked, unpackedName } from "../../files/bytes/unpack.js";
import type { FaultyHead, HeadReader } from "../../transcripts/folder/file-heads.js";
import { namesIn } from "../../transcripts/folder/file-lookups.js";
import { openLines } from "../../transcripts/folder/open-lines.js";
import { textIn } from "../../transcripts/recorder/parts.js";
import { entryOf } from "./record.js";

const ROLLOUT = /^rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+)\.jsonl(?:\.zst)?$/;

/** Years, months, days; very old files lie above them. */
const DATE_DEPTH = 3;
const DATE_FOLDER = /^\d{2,4}$/;

/** `root` is a home, its `sessions` folder, or a folder in there. Each rollout occurs once. */
export function* rolloutsIn(root: string): Generator<void, string[]> {
  const sessions = path.join(root, "sessions");
  const isHome = statContained(root, sessions)?.isDirectory() ?? false;
  const archive = path.join(root, "archived_sessions");
  const inUse = yield* filesBelow(root, isHome ? sessions : root, DATE_DEPTH);
  return eachOnce([...inUse, ...(yield* filesBelow(root, archive, 0))]);
}

/** Returns the thread id in a file's name. The text after `_` is the id of a part of the thread. */
export function threadInName(file: string): string {
  return idsInName(file).replace(/_[^_]+$/, "");
}

export function rolloutInName(file: string): string {
  return idsInName(file).replace(/^.*_/, "");
}

function idsInName(file: string): string {
  return ROLLOUT.exec(path.basename(file))?.[1] ?? path.basename(file);
}

export interface ThreadHead extends FaultyHead {
  readonly isFinal: boolean;
  readonly threadId: string | undefined;
  readonly cwd: string | undefined;
  /** The spawning thread, and the thread whose records it copies at its beginning. */
  readonly parentId: string | undefined;
  readonly forkedFrom: string | undefined;
  /** The rollout that it continues, and the number of bytes that precede it there. */
  readonly baseId: string | undefined;
  readonly baseEnd: number | undefined;
  readonly role: string | undefined;
  readonly nickname: string | undefined;
}

const NO_HEAD: ThreadHead = {
  isFinal: false,
  threadId: undefined,
  cwd: undefined,
  parentId: undefined,
  forkedFrom: undefined,
  baseId: undefined,
  baseEnd: undefined,
  role: undefined,
  nickname: undefined,
};

const MOST_LINES = 20;

export const THREAD_HEADS: HeadReader<ThreadHead> = {
  name: "codex heads",
  none: NO_HEAD,
  shape: {
    isFinal: "flag",
    threadId: "text?",
    cwd: "text?",
    parentId: "text?",
    forkedFrom: "text?",
    baseId: "text?",
    baseEnd: "number?",
    role: "text?",
    nickname: "text?",
  },
  mostLines: MOST_LINES,
  isComplete: ({ isFinal }) => isFinal,
  after(head, record, lines, file) {
    const next = record === undefined ? head : headAfter(head, record, file, lines === 0);
    return lines + 1 === MOST_LINES ? { ...next, isFinal: true } : next;
  },
};

const WORKING_DIRECTORY = /<cwd>([^<]+)<\/cwd>|^Current working directory: (.+)$/m;

/** Before the envelope, only the model's input contains the folder. */
function headAfter(head: ThreadHead, record: JsonObject, file: string, isFirst: boolean): ThreadHead {
  const { type, payload } = entryOf(record);
  if (type !== "session_meta") {
    const [, tagged, plain] = WORKING_DIRECTORY.exec(textIn(payload.content)) ?? [];
    const cwd = tagged ?? plain;
    return cwd === undefined || payload.role !== "user" ? head : { ...head, cwd, isFinal: true };
  }
  const threadId = textField(payload, "id");
  if (head.threadId !== undefined || (!isFirst && threadId !== threadInName(file))) return head;
  const { subagent } = objectField(payload, "source");
  const agent = objectField({ subagent }, "subagent");
  const kind = typeof subagent === "string" ? subagent : textField(agent, "other");
  const spawn = objectField(agent, "thread_spawn");
  const reported = (name: string) => textField(payload, name) ?? textField(spawn, name);
  const agentPath = reported("agent_path")?.split("/").at(-1);
  const { thread_id: baseId, end_byte_offset: baseEnd } = objectField(payload, "history_base");
  return {
    isFinal: payload !== record,
    threadId,
    cwd: textField(payload, "cwd"),
    parentId: reported("parent_thread_id"),
    forkedFrom: textField(payload, "forked_from_id"),
    baseId: typeof baseId === "string" ? baseId : undefined,
    baseEnd: typeof baseEnd === "number" ? baseEnd : undefined,
    role: reported("agent_role") ?? kind ?? agentPath,
    nickname: reported("agent_nickname") ?? agentPath,
  };
}

type Names = ReadonlyMap<string, string>;

const NONE: Names = new Map();

const namesOfFiles = new CachedWhileSame<FileIdentity, Names>({ max: 16 }, isUnchanged);

export function* threadNames(root: string): Generator<void, Names> {
  const file = path.join(root, "session_index.jsonl");
  const stats = statContained(root, file);
  if (stats === undefined) return NONE;
  const same = namesOfFiles.get(file, identify(stats));
  if (same !== undefined) return same;
  const opened = yield* openLines(root, file);
  if (opened === undefined) return NONE;
  try {
    const names = new Map<string, string>();
    const follow = (line: Line) => {
      const { record = {} } = parseLine(line);
      const id = textField(record, "id");
      const name = textField(record, "thread_name");
      if (id !== undefined && name !== undefined) names.set(id, name);
    };
    const range = { from: 0, to: opened.identity.size, line: 1 };
    const { tail } = yield* readLines(opened.descriptor, range, follow);
    if (tail !== undefined) follow(tail);
    return namesOfFiles.keep(file, opened.identity, names);
  } finally {
    opened.close();
  }
}

/** Sorts by name, without duplicates: the first file counts, and a plain one before a packed one. */
function eachOnce(files: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const file of files) {
    const name = unpackedName(path.basename(file));
    const existing = byName.get(name);
    if (existing === undefined || (isPacked(existing) && !isPacked(file))) byName.set(name, file);
  }
  return [...byName].sort(([a], [b]) => compareText(a, b)).map(([, file]) => file);
}

interface FolderNames {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Enough for decades with a folder per day. */
const namesOfFolders = new CachedWhileSame<FileIdentity, FolderNames>({ max: 20_000 }, isUnchanged);

/** Two changes within this time may have the same modification time. */
const CLOCK_STEP_MS = 50;

/** In the order of names. An unchanged folder costs one `stat`, because its names are cached. */
function* filesBelow(root: string, folder: string, depth: number): Generator<void, string[]> {
  const { files, folders } = wantedIn(root, folder);
  const matching = files.map((name) => folder + path.sep + name);
  yield;
  if (depth === 0) return matching;
  for (const name of folders) {
    for (const file of yield* filesBelow(root, folder + path.sep + name, depth - 1)) matching.push(file);
  }
  return matching;
}

function wantedIn(root: string, folder: string): FolderNames {
  const stats = statEntry(root, folder);
  if (stats === undefined) return { files: [], folders: [] };
  const identity = identify(stats);
  const same = namesOfFolders.get(folder, identity);
  if (same !== undefined) return same;
  const readAt = Date.now();
  const names = namesIn(root, folder);
  const wanted = {
    files: names.files.filter((name) => ROLLOUT.test(name)),
    folders: names.folders.filter((name) => DATE_FOLDER.test(name)),
  };
  const isSettled = readAt - stats.ctimeMs > CLOCK_STEP_MS;
  return isSettled ? namesOfFolders.keep(folder, identity, wanted) : wanted;
}
