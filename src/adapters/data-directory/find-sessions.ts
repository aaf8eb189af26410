import type { Dirent } from "node:fs";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import type { ReadingTask } from "../../application/ports/reading-pool.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import { entriesIn, nameInside, readableOrNone, statContained } from "../files/bytes/contained-files.js";
import { sessionsFolder, tenantsFolder } from "./session-files.js";

/** The sessions of one tenant, by the names of their folders. */
export interface TenantSessions {
  readonly tenantId: string;
  readonly sessionIds: readonly string[];
}

export interface FoundTenants {
  readonly tenants: readonly TenantSessions[];
  /** Which folders cannot be read. */
  readonly warnings: readonly RecordWarning[];
}

/** Finds the sessions of every tenant, but for links that lead outside. What may not be read is left out, and named. A reading task. */
export function* findSessions({ root }: { readonly root: string }): Generator<void, FoundTenants> {
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

export const FIND_SESSIONS: ReadingTask<{ readonly root: string }, FoundTenants> = {
  module: import.meta.url,
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
