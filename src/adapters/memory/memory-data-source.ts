import type {
  InspectorDataSource,
  OrchestrationState,
} from "../../application/ports/inspector-data-source.js";
import type { Message } from "../../domain/message.js";
import { replayOrchestration } from "../../domain/replay-orchestration.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import { describeSession } from "../../domain/session-log.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace-envelope.js";
import type { MemoryState } from "./memory-state.js";

/** Reads what a `MemorySessionStore` on the same state writes. */
export class MemoryDataSource implements InspectorDataSource {
  readonly #state: MemoryState;
  readonly #now: () => number;

  constructor(state: MemoryState, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
  }

  async listSessions(): Promise<InspectorSessionItem[]> {
    const now = this.#now();
    return this.#state.list().map((session) => {
      const ends = [session.traceEnd, session.orchestrationEnd];
      return describeSession(session, { log: session.log, ends }, session.addedAt, now);
    });
  }

  async hasSession(tenantId: string, sessionId: string): Promise<boolean> {
    return this.#state.find(tenantId, sessionId) !== undefined;
  }

  async revision(tenantId?: string, sessionId?: string): Promise<string | undefined> {
    if (tenantId === undefined || sessionId === undefined) return undefined;
    return String(this.#state.find(tenantId, sessionId)?.revision ?? 0);
  }

  async loadTraceEnvelopes(tenantId: string, sessionId: string): Promise<WorkflowTraceEventEnvelope[]> {
    return parseAll(this.#state.find(tenantId, sessionId)?.envelopes);
  }

  async loadOrchestrationEvents(tenantId: string, sessionId: string): Promise<unknown[]> {
    return parseAll(this.#state.find(tenantId, sessionId)?.orchestrationEvents);
  }

  async loadOrchestrationState(tenantId: string, sessionId: string): Promise<OrchestrationState | null> {
    const events = await this.loadOrchestrationEvents(tenantId, sessionId);
    return events.length === 0 ? null : { snapshot: replayOrchestration(null, events) };
  }

  async loadMessages(tenantId: string, sessionId: string): Promise<Message[]> {
    return parseAll(this.#state.find(tenantId, sessionId)?.messages);
  }
}

function parseAll<T>(texts: readonly string[] = []): T[] {
  return texts.map((text) => JSON.parse(text) as T);
}
