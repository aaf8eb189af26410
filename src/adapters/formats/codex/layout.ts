import path from "node:path";
import { KeptWhileSame } from "../../../application/kept-while-same.js";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { compareText } from "../../../domain/session/session.js";
import { statContained, statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isUnchanged } from "../../files/bytes/file-identities.js";
import type { Line } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import { isPacked, unpackedName } from "../../files/bytes/unpack.js";
import { namesIn } from "../../transcripts/identities-of.js";
import { openLines } from "../../transcripts/open-lines.js";
import { entryOf, textIn } from "./record.js";
import { type ThreadHead, threadFolder } from "./thread-folder.js";

const ROLLOUT = /^rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+)\.jsonl(?:\.zst)?$/;

/** Years, months and days; very old files lie above them. */
const BY_DATE: TreeRules = {
  depth: 3,
  isFolder: (name) => /^\d{2,4}$/.test(name),
  isFile: (name) => ROLLOUT.test(name),
};

/** The sessions of a home. */
export const rolloutFolder = threadFolder({
  name: "codex",
  filesIn: rolloutsIn,
  headAfter,
  threadInName,
  namesIn: (root) =>
    sessionNames(root, path.join(root, "session_index.jsonl"), { id: "id", name: "thread_name" }),
});

/** The rollouts of a home, of its `sessions` folder, or of a folder in there; each once, whatever lies twice. */
function* rolloutsIn(root: string): Generator<void, string[]> {
  const sessions = path.join(root, "sessions");
  const isHome = statContained(root, sessions)?.isDirectory() ?? false;
  const archive = path.join(root, "archived_sessions");
  const inUse = yield* filesBelow(root, isHome ? sessions : root, BY_DATE);
  return eachOnce([...inUse, ...(yield* filesBelow(root, archive, { ...BY_DATE, depth: 0 }))]);
}

/** Behind `_` comes the id of a part of the thread. */
function threadInName(file: string): string {
  const [, name = path.basename(file)] = ROLLOUT.exec(path.basename(file)) ?? [];
  return name.replace(/_[^_]+$/, "");
}

const WORKING_DIRECTORY = /<cwd>([^<]+)<\/cwd>|^Current working directory: (.+)$/m;

/** Before the envelope, the folder is only in what the model was told of it. */
function headAfter(head: ThreadHead, record: JsonObject, file: string, isFirst: boolean): ThreadHead {
  const { type, payload } = entryOf(record);
  if (type !== "session_meta") {
    const [, tagged, plain] = WORKING_DIRECTORY.exec(textIn(payload.content)) ?? [];
    const cwd = tagged ?? plain;
    return cwd === undefined || payload.role !== "user" ? head : { ...head, cwd, isFinal: true };
  }
  const threadId = textField(payload, "id");
  // Behind the first record of a fork lies that of the thread that it was copied from.
  if (head.threadId !== undefined || (!isFirst && threadId !== threadInName(file))) return head;
  const { subagent } = objectField(payload, "source");
  const agent = objectField({ subagent }, "subagent");
  const kind = typeof subagent === "string" ? subagent : textField(agent, "other");
  const agentPath = textField(payload, "agent_path")?.split("/").at(-1);
  return {
    isFinal: payload !== record,
    threadId,
    cwd: textField(payload, "cwd"),
    parentId:
      textField(payload, "parent_thread_id") ??
      textField(objectField(agent, "thread_spawn"), "parent_thread_id"),
    forkedFrom: textField(payload, "forked_from_id"),
    role: textField(payload, "agent_role") ?? kind ?? agentPath,
    nickname: textField(payload, "agent_nickname") ?? agentPath,
  };
}

/** The members of a record that name a session. */
export interface NameMembers {
  readonly id: string;
  readonly name: string;
}

type Names = ReadonlyMap<string, string>;

const NONE: Names = new Map();

const namesOfFiles = new KeptWhileSame<FileIdentity, Names>({ max: 16 }, isUnchanged);

/** The names of sessions that a file of their own keeps: the last one that it holds of a session counts. */
export function* sessionNames(root: string, file: string, members: NameMembers): Generator<void, Names> {
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
      const id = textField(record, members.id);
      const name = textField(record, members.name);
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

/** Which folders below one are gone into, and which files are wanted. */
export interface TreeRules {
  /** How deep the folders lie that hold files. */
  readonly depth: number;
  isFolder(name: string): boolean;
  isFile(name: string): boolean;
}

/**
 * Files by the order of their names, each once, whichever folders hold it: the first one counts, and a plain one before a packed one.
 */
export function eachOnce(files: readonly string[]): string[] {
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
 * The files in a tree of folders, such as one by year, month and day, in the order of their names. The names in a folder are read
 * again where its identity shows that some came or went: what has not changed costs one `stat` a folder.
 */
export function* filesBelow(root: string, folder: string, rules: TreeRules): Generator<void, string[]> {
  const { files, folders } = wantedIn(root, folder, rules);
  const found = files.map((name) => folder + path.sep + name);
  yield;
  if (rules.depth === 0) return found;
  const below = { ...rules, depth: rules.depth - 1 };
  for (const name of folders) {
    for (const file of yield* filesBelow(root, folder + path.sep + name, below)) found.push(file);
  }
  return found;
}

function wantedIn(root: string, folder: string, { isFolder, isFile }: TreeRules): FolderNames {
  const stats = statEntry(root, folder);
  if (stats === undefined) return { files: [], folders: [] };
  const identity = identify(stats);
  const same = namesOfFolders.get(folder, identity);
  if (same !== undefined) return same;
  const readAt = Date.now();
  const names = namesIn(root, folder);
  const wanted = { files: names.files.filter(isFile), folders: names.folders.filter(isFolder) };
  const isSettled = readAt - stats.ctimeMs > CLOCK_STEP_MS;
  return isSettled ? namesOfFolders.keep(folder, identity, wanted) : wanted;
}
