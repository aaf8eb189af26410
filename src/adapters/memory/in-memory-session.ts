import type { Message } from "../../domain/conversation/message.js";
import type { JsonObject } from "../../domain/json/json.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { LIST, numberOf, required, TEXT } from "../../domain/options/option-kinds.js";
import type { TokenUsage } from "../../domain/session/session.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { MemoryState } from "./memory-state.js";

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

export const IN_MEMORY_SESSION = {
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

export function addSession(state: MemoryState, session: InMemorySession): void {
  const { tenantId = "default", sessionId, createdAt = Date.now(), turns = [] } = session;
  const stored = state.open(tenantId, sessionId, createdAt);
  const { userId, agentId, title } = session;
  stored.addToLog({ type: "init", userId, agentId, title, createdAt });
  for (const turn of turns) stored.addToLog({ type: "turn", ...turn });
  stored.addEnvelopes(session.envelopes ?? []);
  stored.addOrchestrationEvents(session.orchestrationEvents ?? []);
  stored.addMessages(session.messages ?? []);
}
