import {
  FilesystemDataSource,
  type FilesystemDataSourceOptions,
} from "../adapters/data-directory/filesystem-data-source.js";
import { checkFileSource } from "../adapters/files/catalog/file-source-options.js";
import { MemoryDataSource } from "../adapters/memory/memory-data-source.js";
import { MemorySessionStore } from "../adapters/memory/memory-session-store.js";
import {
  addSession,
  IN_MEMORY_SESSION,
  type InMemorySession,
  MemoryState,
} from "../adapters/memory/memory-state.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { SessionStore } from "../application/ports/session-store.js";
import { asDataSource } from "../application/sources/lift.js";
import { checkList } from "../domain/options/check-options.js";

/**
 * Reads a data directory (`docs/data-directory.md`), also while an agent application writes it. Files are read in a worker thread
 * that begins with the first question; `close()` ends it.
 *
 * @param dataDir the folder that holds `tenants`; it need not exist yet
 * @param options with how many threads it reads, or in whose pool, and how much memory it may take
 *
 * @throws TypeError for a folder that is no path, and for an option that there is not, or whose value is of another kind
 * @throws RangeError for a number out of range
 *
 * @example
 * const source = createFilesystemInspectorDataSource("./data", { threads: false }); // for a host without worker threads
 */
export function createFilesystemInspectorDataSource(
  dataDir: string,
  options: FilesystemDataSourceOptions = {},
): InspectorDataSource {
  checkFileSource("dataDir", dataDir, options);
  return asDataSource(new FilesystemDataSource(dataDir, options));
}

/** A data source in memory, with the store that writes what it reads. */
export type InMemoryInspectorDataSource = InspectorDataSource & { readonly sessionStore: SessionStore };

/**
 * A data source in memory, for tests and short-lived applications.
 *
 * @throws TypeError for a session with a member that there is not, or whose value is of another kind
 * @throws RangeError for a `createdAt` that is no instant
 *
 * @example
 * const source = createInMemoryInspectorDataSource();
 * const app = createAgentApp({ sessionStore: source.sessionStore, inspector: source });
 */
export function createInMemoryInspectorDataSource(
  initial: readonly InMemorySession[] = [],
): InMemoryInspectorDataSource {
  checkList(IN_MEMORY_SESSION, "initial", initial);
  const state = new MemoryState();
  for (const session of initial) addSession(state, session);
  // Its list costs nothing, so there is one way to it: whoever puts another `listSessions` in its place is asked for every page.
  const { findSessions: _, ...source } = asDataSource(new MemoryDataSource(state));
  return Object.assign(source, { sessionStore: new MemorySessionStore(state) });
}
