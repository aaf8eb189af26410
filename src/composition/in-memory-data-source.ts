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

export type InMemoryInspectorDataSource = InspectorDataSource & { readonly sessionStore: SessionStore };

/**
 * For tests and short-lived applications.
 * @throws TypeError if a member of a session does not exist or has a value of another kind
 * @throws RangeError if a `createdAt` is not an instant
 * @example
 * const source = createInMemoryInspectorDataSource();
 * const app = createAgentApp({ sessionStore: source.sessionStore, inspector: source });
 */
export function createInMemoryInspectorDataSource(
  initial: readonly InMemorySession[] = [],
): InMemoryInspectorDataSource {
  const sessions = checkList<InMemorySession>(IN_MEMORY_SESSION, "initial", initial);
  const state = new MemoryState();
  for (const session of sessions) addSession(state, session);
  // Without `findSessions`, a replacement of `listSessions` receives every request for a page.
  const { findSessions: _, ...source } = asDataSource(new MemoryDataSource(state));
  return Object.assign(source, { sessionStore: new MemorySessionStore(state) });
}
