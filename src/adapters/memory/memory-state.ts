import type { JsonObject } from "../../domain/json.js";
import {
  EMPTY_END,
  type EventLogEnd,
  followEnvelope,
  followOrchestrationEvent,
} from "../../domain/session-activity.js";
import { EMPTY_LOG, followLog, type SessionLog } from "../../domain/session-log.js";

/** One session in memory. Records are kept as JSON text, so that nobody can change what was stored. */
export class MemorySession {
  readonly tenantId: string;
  readonly sessionId: string;
  /** The instant that stands for the last activity of a session whose records know none. */
  readonly addedAt: number;
  readonly envelopes: string[] = [];
  readonly orchestrationEvents: string[] = [];
  messages: string[] = [];
  log: SessionLog = EMPTY_LOG;
  traceEnd: EventLogEnd = EMPTY_END;
  orchestrationEnd: EventLogEnd = EMPTY_END;
  /** Counts the changes. */
  revision = 0;

  constructor(tenantId: string, sessionId: string, addedAt: number) {
    this.tenantId = tenantId;
    this.sessionId = sessionId;
    this.addedAt = addedAt;
  }

  /** The lists as they are now. */
  copy(): Pick<MemorySession, "envelopes" | "orchestrationEvents" | "messages"> {
    const { envelopes, orchestrationEvents, messages } = this;
    return {
      envelopes: [...envelopes],
      orchestrationEvents: [...orchestrationEvents],
      messages: [...messages],
    };
  }

  addToLog(record: JsonObject): void {
    this.log = followLog(this.log, record);
    this.revision++;
  }

  addEnvelopes(envelopes: readonly object[]): void {
    for (const envelope of envelopes) {
      this.envelopes.push(JSON.stringify(envelope));
      this.traceEnd = followEnvelope(this.traceEnd, envelope as JsonObject);
    }
    this.revision++;
  }

  addOrchestrationEvents(events: readonly object[]): void {
    for (const event of events) {
      this.orchestrationEvents.push(JSON.stringify(event));
      this.orchestrationEnd = followOrchestrationEvent(this.orchestrationEnd, event as JsonObject);
    }
    this.revision++;
  }

  addMessages(messages: readonly object[]): void {
    for (const message of messages) this.messages.push(JSON.stringify(message));
    this.revision++;
  }

  replaceMessages(messages: readonly object[]): void {
    this.messages = [];
    this.addMessages(messages);
  }
}

/** What a memory store writes and a memory source reads. */
export class MemoryState {
  readonly #sessions = new Map<string, MemorySession>();

  find(tenantId: string, sessionId: string): MemorySession | undefined {
    return this.#sessions.get(keyOf(tenantId, sessionId));
  }

  /** The session; a new one where there is none. */
  open(tenantId: string, sessionId: string, addedAt: number): MemorySession {
    const known = this.find(tenantId, sessionId);
    if (known !== undefined) return known;
    const session = new MemorySession(tenantId, sessionId, addedAt);
    this.#sessions.set(keyOf(tenantId, sessionId), session);
    return session;
  }

  list(): MemorySession[] {
    return [...this.#sessions.values()];
  }
}

/** Ids hold no control character, so a NUL keeps them apart. */
function keyOf(tenantId: string, sessionId: string): string {
  return `${tenantId}\0${sessionId}`;
}
