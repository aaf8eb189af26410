import path from "node:path";
import { KeptWhileSame } from "../../../application/kept-while-same.js";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { compareText } from "../../../domain/lists/compare-text.js";
import { statContained, statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isUnchanged } from "../../files/bytes/file-identities.js";
import type { Line } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import { isPacked, unpackedName } from "../../files/bytes/unpack.js";
import type { FaultyHead, HeadReader } from "../../transcripts/file-heads.js";
import { namesIn } from "../../transcripts/file-lookups.js";
import { openLines } from "../../transcripts/open-lines.js";
import { textIn } from "../../transcripts/parts.js";
import { entryOf } from "./record.js";

const ROLLOUT = /^rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+)\.jsonl(?:\.zst)?$/;

/** Depth of the folders of years, months and days that contain files; very old files lie above them. */
const DATE_DEPTH = 3;
const DATE_FOLDER = /^\d{2,4}$/;

/** The rollouts of a home, of its `sessions` folder, or of a folder in there; each once, whatever lies twice. */
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

/** The id of the part of a thread that a file holds; of the first part it is that of the thread. */
export function rolloutInName(file: string): string {
  return idsInName(file).replace(/^.*_/, "");
}

function idsInName(file: string): string {
  return ROLLOUT.exec(path.basename(file))?.[1] ?? path.basename(file);
}

/** Statements at the beginning of a file about its thread. */
export interface ThreadHead extends FaultyHead {
  /** True if no later record adds anything. */
  readonly isFinal: boolean;
  readonly threadId: string | undefined;
  /** The folder that was worked in. */
  readonly cwd: string | undefined;
  /** The thread that spawned it, and the thread whose records it copies at its beginning. */
  readonly parentId: string | undefined;
  readonly forkedFrom: string | undefined;
  /** The rollout that it continues, and the number of bytes of that rollout that precede it. */
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

/** Among how many lines those lie that say what a thread is. */
const MOST_LINES = 20;

/** Reads what the first records of a file say of its thread. */
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
  isFound: ({ isFinal }) => isFinal,
  after(head, record, lines, file) {
    const next = record === undefined ? head : headAfter(head, record, file, lines === 0);
    return lines + 1 === MOST_LINES ? { ...next, isFinal: true } : next;
  },
};

const WORKING_DIRECTORY = /<cwd>([^<]+)<\/cwd>|^Current working directory: (.+)$/m;

/** Before the envelope existed, the folder is only in the model's input. */
function headAfter(head: ThreadHead, record: JsonObject, file: string, isFirst: boolean): ThreadHead {
  const { type, payload } = entryOf(record);
  if (type !== "session_meta") {
    const [, tagged, plain] = WORKING_DIRECTORY.exec(textIn(payload.content)) ?? [];
    const cwd = tagged ?? plain;
    return cwd === undefined || payload.role !== "user" ? head : { ...head, cwd, isFinal: true };
  }
  const threadId = textField(payload, "id");
  // The first record of a fork is followed by the first record of the thread that it was copied from.
  if (head.threadId !== undefined || (!isFirst && threadId !== threadInName(file))) return head;
  const { subagent } = objectField(payload, "source");
  const agent = objectField({ subagent }, "subagent");
  const kind = typeof subagent === "string" ? subagent : textField(agent, "other");
  const spawn = objectField(agent, "thread_spawn");
  const told = (name: string) => textField(payload, name) ?? textField(spawn, name);
  const agentPath = told("agent_path")?.split("/").at(-1);
  const { thread_id: baseId, end_byte_offset: baseEnd } = objectField(payload, "history_base");
  return {
    isFinal: payload !== record,
    threadId,
    cwd: textField(payload, "cwd"),
    parentId: told("parent_thread_id"),
    forkedFrom: textField(payload, "forked_from_id"),
    baseId: typeof baseId === "string" ? baseId : undefined,
    baseEnd: typeof baseEnd === "number" ? baseEnd : undefined,
    role: told("agent_role") ?? kind ?? agentPath,
    nickname: told("agent_nickname") ?? agentPath,
  };
}

type Names = ReadonlyMap<string, string>;

const NONE: Names = new Map();

const namesOfFiles = new KeptWhileSame<FileIdentity, Names>({ max: 16 }, isUnchanged);

/** Returns the names of threads from their separate file: the last name of a thread counts. */
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

/**
 * Files by the order of their names, each once, whichever folders hold it: the first one counts, and a plain one before a packed one.
 */
function eachOnce(files: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const file of files) {
    const name = unpackedName(path.basename(file));
    const known = byName.get(name);
    if (known === undefined || (isPacked(known) && !isPacked(file))) byName.set(name, file);
  }
  return [...byName].sort(([a], [b]) => compareText(a, b)).map(([, file]) => file);
}

interface FolderNames {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Those of some tens of years, if each day has a folder. */
const namesOfFolders = new KeptWhileSame<FileIdentity, FolderNames>({ max: 20_000 }, isUnchanged);

/** Two changes of a folder within this time may have the same modification time, in milliseconds. */
const CLOCK_STEP_MS = 50;

/**
 * The rollouts in a tree of folders by date, in the order of their names. The names in a folder are read
 * again where its identity shows that some came or went: what has not changed costs one `stat` a folder.
 */
function* filesBelow(root: string, folder: string, depth: number): Generator<void, string[]> {
  const { files, folders } = wantedIn(root, folder);
  const found = files.map((name) => folder + path.sep + name);
  yield;
  if (depth === 0) return found;
  for (const name of folders) {
    for (const file of yield* filesBelow(root, folder + path.sep + name, depth - 1)) found.push(file);
  }
  return found;
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
