/** `agent-inspector/data-directory`: writes a data directory, for processes that record and show nothing. */
export type { SessionStore } from "./application/ports/session-store.js";
export { createFilesystemSessionStore } from "./composition/filesystem-session-store.js";
