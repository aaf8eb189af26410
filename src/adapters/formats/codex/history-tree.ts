import path from "node:path";
import { KeptWhileSame } from "../../../application/kept-while-same.js";
import { compareText } from "../../../domain/session/session.js";
import { statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isUnchanged } from "../../files/bytes/file-identity.js";
import { isPacked, unpackedName } from "../../files/bytes/unpack.js";
import { namesIn } from "../../transcripts/names-in.js";

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
