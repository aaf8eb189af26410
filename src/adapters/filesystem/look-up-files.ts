import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import type { ReadingTask } from "../../application/ports/reading-pool.js";
import { foundSync, isBelow, realRootOf } from "../jsonl/contained-files.js";
import { NUMBERS_PER_IDENTITY, type StatResult, setIdentity } from "../jsonl/file-identities.js";

/** Which files: each of the names in each of the folders. `""` is the folder itself. */
export interface LookUpRequest {
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

const FOLDERS_PER_PAUSE = 16;

/**
 * Looks up many files, links followed, wherever they lead: enough to see whether a file has changed. Opening it checks where it
 * lies. A reading task.
 */
export function* lookUpFiles({ folders, names }: LookUpRequest): Generator<void, Float64Array> {
  const identities = new Float64Array(folders.length * names.length * NUMBERS_PER_IDENTITY);
  let index = 0;
  for (const [i, folder] of folders.entries()) {
    for (const name of names) {
      setIdentity(identities, index++, name === "" ? folderAt(folder) : fileAt(folder + path.sep + name));
    }
    if (i % FOLDERS_PER_PAUSE === FOLDERS_PER_PAUSE - 1) yield;
  }
  return identities;
}

export const LOOK_UP_FILES: ReadingTask<LookUpRequest, Float64Array> = {
  module: import.meta.url,
  name: "lookUpFiles",
  steps: lookUpFiles,
};

export interface LookUpSessionRequest {
  readonly root: string;
  readonly folder: string;
  /** Each name as the folders that lead to it and its own. */
  readonly names: readonly (readonly string[])[];
}

/**
 * Looks up the files of one session before they are read: a file that lies outside the root is not there. `undefined` where
 * there is no such session. A reading task.
 */
export function* lookUpSession({
  root,
  folder,
  names,
}: LookUpSessionRequest): Generator<void, Float64Array | undefined> {
  const realRoot = realRootOf(root);
  const realFolder = foundSync(() => realpathSync.native(folder), root, folder);
  if (realRoot === undefined || realFolder === undefined || !isBelow(realRoot, realFolder)) return undefined;
  if (folderAt(realFolder) === undefined) return undefined;
  const identities = new Float64Array(names.length * NUMBERS_PER_IDENTITY);
  for (const [i, name] of names.entries()) {
    setIdentity(identities, i, fileInside(realRoot, realFolder, name));
  }
  return identities;
}

export const LOOK_UP_SESSION: ReadingTask<LookUpSessionRequest, Float64Array | undefined> = {
  module: import.meta.url,
  name: "lookUpSession",
  steps: lookUpSession,
};

function fileAt(file: string): StatResult {
  return onlyIf(
    attempt(() => statSync(file, { throwIfNoEntry: false })),
    (stats) => stats.isFile(),
  );
}

function folderAt(folder: string): StatResult {
  return onlyIf(
    attempt(() => statSync(folder, { throwIfNoEntry: false })),
    (stats) => stats.isDirectory(),
  );
}

/** A file below a folder inside the root. It lies inside too unless a link leads to it, and `lstat` costs less than `realpath`. */
function fileInside(realRoot: string, folder: string, names: readonly string[]): StatResult {
  let file = folder;
  let found: StatResult;
  for (const name of names) {
    file += path.sep + name;
    found = attempt(() => lstatSync(file, { throwIfNoEntry: false }));
    if (found === undefined || found === "unreadable") return found;
    if (found.isSymbolicLink()) return linkedFile(realRoot, path.join(folder, ...names));
  }
  return onlyIf(found, (stats) => stats.isFile());
}

function linkedFile(realRoot: string, file: string): StatResult {
  const real = attempt(() => realpathSync.native(file));
  return real === undefined || real === "unreadable" || !isBelow(realRoot, real) ? undefined : fileAt(real);
}

function onlyIf(found: StatResult, isWanted: (stats: Stats) => boolean): StatResult {
  return found === undefined || found === "unreadable" || isWanted(found) ? found : undefined;
}

/** What a call gives; `"unreadable"` where the file system refuses it: reading the file reports why. */
function attempt<T>(call: () => T): T | "unreadable" | undefined {
  try {
    return foundSync(call, "", "");
  } catch (error) {
    if (error instanceof SourceUnavailableError) return "unreadable";
    throw error;
  }
}
