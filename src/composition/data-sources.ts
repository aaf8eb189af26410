import {
  FilesystemDataSource,
  type FilesystemDataSourceOptions,
} from "../adapters/data-directory/filesystem-data-source.js";
import { MemoryDataSource } from "../adapters/memory/memory-data-source.js";
import { MemorySessionStore } from "../adapters/memory/memory-session-store.js";
import { MemoryState } from "../adapters/memory/memory-state.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { SessionStore } from "../application/ports/session-store.js";
import { asDataSource } from "../application/sources/lift.js";
import type { Message } from "../domain/conversation/message.js";
import type { JsonObject } from "../domain/json/json.js";
import { checkList, type OptionTable } from "../domain/options/check-options.js";
import { LIST, numberOf, required, TEXT } from "../domain/options/option-kinds.js";
import type { TokenUsage } from "../domain/session/session.js";
import type { WorkflowTraceEventEnvelope } from "../domain/trace/trace-envelope.js";
import { checkFileSource } from "./check-file-source.js";

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

/** A session to begin with. */
export interface InMemorySession {
  readonly tenantId?: string;
  readonly sessionId: string;
  readonly userId?: string;
  readonly agentId?: string;
  readonly title?: string;
  /** Milliseconds since the epoch. Default is the moment of the call. */
  readonly createdAt?: number;
  readonly turns?: readonly (Partial<TokenUsage> & { readonly updatedAt?: number })[];
  readonly envelopes?: readonly WorkflowTraceEventEnvelope[];
  readonly orchestrationEvents?: readonly JsonObject[];
  readonly messages?: readonly Message[];
}

const IN_MEMORY_SESSION = {
  tenantId: TEXT,
  sessionId: required(TEXT),
  userId: TEXT,
  agentId: TEXT,
  title: TEXT,
  createdAt: numberOf("a number of milliseconds since the epoch", Number.isFinite),
  turns: LIST,
  envelopes: LIST,
  orchestrationEvents: LIST,
  messages: LIST,
} satisfies OptionTable<InMemorySession>;

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
  const source = asDataSource(new MemoryDataSource(state));
  return Object.assign(source, { sessionStore: new MemorySessionStore(state) });
}

function addSession(state: MemoryState, session: InMemorySession): void {
  const { tenantId = "default", sessionId, createdAt = Date.now(), turns = [] } = session;
  const stored = state.open(tenantId, sessionId, createdAt);
  const { userId, agentId, title } = session;
  stored.addToLog({ type: "init", userId, agentId, title, createdAt });
  for (const turn of turns) stored.addToLog({ type: "turn", ...turn });
  stored.addEnvelopes(session.envelopes ?? []);
  stored.addOrchestrationEvents(session.orchestrationEvents ?? []);
  stored.addMessages(session.messages ?? []);
}
