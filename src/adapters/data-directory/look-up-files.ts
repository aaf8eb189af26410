import { type Dirent, lstatSync, realpathSync, type Stats } from "node:fs";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import { ownModule } from "../../application/ports/reading-pool.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import {
  entriesIn,
  existingSync,
  isBelow,
  nameInside,
  readableOrNone,
  realRootOf,
  statContained,
  statEntry,
} from "../files/bytes/contained-files.js";
import { NUMBERS_PER_IDENTITY, type StatResult, setIdentity } from "../files/bytes/file-identities.js";
import { sessionsFolder, tenantsFolder } from "./session-files.js";

export interface TenantSessions {
  readonly tenantId: string;
  readonly sessionIds: readonly string[];
}

export interface TenantFolders {
  readonly tenants: readonly TenantSessions[];
  readonly warnings: readonly RecordWarning[];
}

/** Skips links that lead outside the root. Skips directories without read permission, and names them. A reading task. */
export function* findSessions({ root }: { readonly root: string }): Generator<void, TenantFolders> {
  const tenants: TenantSessions[] = [];
  const warnings: RecordWarning[] = [];
  const foldersOf = (folder: string): string[] => {
    try {
      return foldersIn(root, folder);
    } catch (error) {
      if (!(error instanceof SourceUnavailableError)) throw error;
      warnings.push({ file: nameInside(root, folder), line: 1, reason: error.message });
      return [];
    }
  };
  for (const tenantId of foldersOf(tenantsFolder(root))) {
    tenants.push({ tenantId, sessionIds: foldersOf(sessionsFolder(root, tenantId)) });
    yield;
  }
  return { tenants, warnings };
}

export const FIND_SESSIONS = {
  module: ownModule(import.meta.url, "look-up-files"),
  name: "findSessions",
  steps: findSessions,
};

function foldersIn(root: string, folder: string): string[] {
  return (entriesIn(root, folder) ?? [])
    .filter((entry) => isFolder(root, folder, entry))
    .map(({ name }) => name);
}

function isFolder(root: string, parent: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const stats = readableOrNone(() => statContained(root, path.join(parent, entry.name)));
  return stats?.isDirectory() ?? false;
}

interface LookUpRequest {
  readonly root: string;
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

/**
 * Does not check for links: a replaced subfolder changes the session's own folder, and opening a file checks its location. A reading
 * task.
 */
export function* lookUpFiles({ root, folders, names }: LookUpRequest): Generator<void, Float64Array> {
  const identities = new Float64Array(folders.length * names.length * NUMBERS_PER_IDENTITY);
  let index = 0;
  for (const folder of folders) {
    for (const name of names) {
      const stats = name === "" ? folderAt(root, folder) : fileAt(root, folder + path.sep + name);
      setIdentity(identities, index++, stats);
    }
    yield;
  }
  return identities;
}

export const LOOK_UP_FILES = {
  module: ownModule(import.meta.url, "look-up-files"),
  name: "lookUpFiles",
  steps: lookUpFiles,
};

interface LookUpSessionRequest {
  readonly root: string;
  readonly folder: string;
  readonly names: readonly (readonly string[])[];
}

/** Treats a file outside the root as missing. `undefined` if the session does not exist. A reading task. */
export function* lookUpSession({
  root,
  folder,
  names,
}: LookUpSessionRequest): Generator<void, Float64Array | undefined> {
  const realRoot = realRootOf(root);
  const realFolder = existingSync(() => realpathSync.native(folder), root, folder);
  if (realRoot === undefined || realFolder === undefined || !isBelow(realRoot, realFolder)) return undefined;
  if (folderAt(root, realFolder) === undefined) return undefined;
  const identities = new Float64Array(names.length * NUMBERS_PER_IDENTITY);
  for (const [i, name] of names.entries()) {
    setIdentity(identities, i, fileInside(root, realFolder, name));
  }
  return identities;
}

export const LOOK_UP_SESSION = {
  module: ownModule(import.meta.url, "look-up-files"),
  name: "lookUpSession",
  steps: lookUpSession,
};

function fileAt(root: string, file: string): StatResult {
  return onlyIf(
    attempt(() => statEntry(root, file)),
    (stats) => stats.isFile(),
  );
}

function folderAt(root: string, folder: string): StatResult {
  return onlyIf(
    attempt(() => statEntry(root, folder)),
    (stats) => stats.isDirectory(),
  );
}

/** Only a link leads out of a folder inside the root, and `lstat` costs less than `realpath`. */
function fileInside(root: string, folder: string, names: readonly string[]): StatResult {
  let file = folder;
  let stat: StatResult;
  for (const name of names) {
    file += path.sep + name;
    stat = attempt(() => lstatSync(file, { throwIfNoEntry: false }));
    if (stat === undefined || stat === "unreadable") return stat;
    if (stat.isSymbolicLink()) {
      stat = attempt(() => statContained(root, path.join(folder, ...names)));
      break;
    }
  }
  return onlyIf(stat, (stats) => stats.isFile());
}

function onlyIf(stat: StatResult, isWanted: (stats: Stats) => boolean): StatResult {
  return stat === undefined || stat === "unreadable" || isWanted(stat) ? stat : undefined;
}

/** `"unreadable"` if the file system refuses the call. Reading the file reports the reason. */
function attempt<T>(call: () => T): T | "unreadable" | undefined {
  try {
    return existingSync(call, "", "");
  } catch (error) {
    if (error instanceof SourceUnavailableError) return "unreadable";
    throw error;
  }
}
