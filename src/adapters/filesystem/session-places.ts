import { readdir } from "node:fs/promises";
import path from "node:path";
import { absentAsUndefined, type ContainedFiles, unreadableAsUndefined } from "../jsonl/contained-files.js";
import { sessionsFolder, tenantsFolder } from "./session-files.js";

/** Where a session lies. */
export interface SessionPlace {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly folder: string;
}

/** Where the sessions of every tenant lie, but for links that lead outside. */
export async function findSessions(files: ContainedFiles): Promise<SessionPlace[]> {
  const places: SessionPlace[] = [];
  for (const tenantId of await foldersIn(files, tenantsFolder(files.root))) {
    const parent = sessionsFolder(files.root, tenantId);
    for (const sessionId of await foldersIn(files, parent)) {
      places.push({ tenantId, sessionId, folder: parent + path.sep + sessionId });
    }
  }
  return places;
}

/** The names of the folders in a folder; none where it is absent or may not be read. */
async function foldersIn(files: ContainedFiles, folder: string): Promise<string[]> {
  if ((await unreadableAsUndefined(files.find(folder))) === undefined) return [];
  const listing = absentAsUndefined(readdir(folder, { withFileTypes: true }), () => files.nameOf(folder));
  const names: string[] = [];
  for (const entry of (await unreadableAsUndefined(listing)) ?? []) {
    const isFolder = entry.isSymbolicLink()
      ? await isFolderInside(files, path.join(folder, entry.name))
      : entry.isDirectory();
    if (isFolder) names.push(entry.name);
  }
  return names;
}

async function isFolderInside(files: ContainedFiles, link: string): Promise<boolean> {
  return (await unreadableAsUndefined(files.find(link)))?.isDirectory() ?? false;
}
