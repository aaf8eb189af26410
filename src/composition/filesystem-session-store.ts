import { FilesystemSessionStore } from "../adapters/data-directory/filesystem-session-store.js";
import type { SessionStore } from "../application/ports/session-store.js";
import { checkOptions } from "../domain/options/check-options.js";
import { FOLDER, required } from "../domain/options/option-kinds.js";

/**
 * Writes a data directory, for recording outside of `createAgentApp`.
 * @throws TypeError if `dataDir` is not a path
 * @example
 * const recorder = new SessionRecorder(createFilesystemSessionStore("./data"));
 */
export function createFilesystemSessionStore(dataDir: string): SessionStore {
  checkOptions({ dataDir: required(FOLDER) }, { dataDir });
  return new FilesystemSessionStore(dataDir);
}
