import { RecordingError } from "../../application/errors.js";
import type {
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "../../application/ports/session-store.js";
import type { Message } from "../../domain/conversation/message.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { MemorySession, MemoryState } from "./memory-state.js";

export class MemorySessionStore implements SessionStore {
  readonly #state: MemoryState;

  constructor(state: MemoryState) {
    this.#state = state;
  }

  async openSession(start: SessionStart): Promise<{ readonly turns: number }> {
    const session = this.#state.open(start.tenantId, start.sessionId, start.createdAt);
    if (session.sums.log.createdAt === undefined) session.addToLog({ type: "init", ...start });
    return { turns: session.sums.log.turns };
  }

  async updateSession(session: SessionKey, update: SessionUpdate): Promise<void> {
    this.#get(session).addToLog({ type: "update", ...update });
  }

  async appendTurn(session: SessionKey, turn: TurnRecord): Promise<void> {
    this.#get(session).addToLog({ type: "turn", ...turn });
  }

  async appendTraceEnvelopes(
    session: SessionKey,
    envelopes: readonly WorkflowTraceEventEnvelope[],
  ): Promise<void> {
    this.#get(session).addEnvelopes(envelopes);
  }

  async appendOrchestrationEvents(
    session: SessionKey,
    events: readonly StoredOrchestrationEvent[],
  ): Promise<void> {
    this.#get(session).addOrchestrationEvents(events);
  }

  async appendMessages(session: SessionKey, messages: readonly Message[]): Promise<void> {
    this.#get(session).addMessages(messages);
  }

  async replaceMessages(session: SessionKey, messages: readonly Message[]): Promise<void> {
    this.#get(session).replaceMessages(messages);
  }

  #get({ tenantId, sessionId }: SessionKey): MemorySession {
    const session = this.#state.find(tenantId, sessionId);
    if (session !== undefined) return session;
    throw new RecordingError(`Open session "${sessionId}" of tenant "${tenantId}" before writing to it.`);
  }
}
