import { FilesystemSessionStore } from "../adapters/filesystem/filesystem-session-store.js";
import type { SessionStore } from "../application/ports/session-store.js";

/**
 * Writes a data directory: what `createFilesystemInspectorDataSource` reads. For recording outside of `createAgentApp`.
 *
 * @example
 * const recorder = new SessionRecorder(createFilesystemSessionStore("./data"));
 */
export function createFilesystemSessionStore(dataDir: string): SessionStore {
  return new FilesystemSessionStore(dataDir);
}
