import type { Dirent } from "node:fs";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import type { ReadingTask } from "../../application/ports/reading-pool.js";
import { entriesIn, statContained } from "../jsonl/contained-files.js";
import { sessionsFolder, tenantsFolder } from "./session-files.js";

/** The sessions of one tenant, by the names of their folders. */
export interface TenantSessions {
  readonly tenantId: string;
  readonly sessionIds: readonly string[];
}

/** Finds the sessions of every tenant, but for links that lead outside. What may not be read is left out. A reading task. */
export function* findSessions({ root }: { readonly root: string }): Generator<void, TenantSessions[]> {
  const found: TenantSessions[] = [];
  for (const tenantId of foldersIn(root, tenantsFolder(root))) {
    found.push({ tenantId, sessionIds: foldersIn(root, sessionsFolder(root, tenantId)) });
    yield;
  }
  return found;
}

export const FIND_SESSIONS: ReadingTask<{ readonly root: string }, TenantSessions[]> = {
  module: import.meta.url,
  name: "findSessions",
  steps: findSessions,
};

function foldersIn(root: string, folder: string): string[] {
  const entries = readableOrUndefined(() => entriesIn(root, folder));
  return (entries ?? []).filter((entry) => isFolder(root, folder, entry)).map(({ name }) => name);
}

function isFolder(root: string, parent: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const stats = readableOrUndefined(() => statContained(root, path.join(parent, entry.name)));
  return stats?.isDirectory() ?? false;
}

function readableOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SourceUnavailableError) return undefined;
    throw error;
  }
}
