import { SessionSums } from "../../application/recording/session-sums.js";
import type { Message } from "../../domain/conversation/message.js";
import type { JsonObject } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { LIST, numberOf, required, TEXT } from "../../domain/options/option-kinds.js";
import { keyText } from "../../domain/session/session-key.js";
import { instantOf } from "../../domain/trace/instant.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { TokenUsage } from "../../domain/usage/token-usage.js";

/** Earlier results stay unchanged: the list is copied before the next text is added. */
export class TextList {
  /** Unique, also among processes. */
  readonly id = Math.random();
  #texts: string[] = [];
  #isHandedOut = false;

  add(text: string): void {
    if (this.#isHandedOut) this.#texts = [...this.#texts];
    this.#isHandedOut = false;
    this.#texts.push(text);
  }

  get texts(): readonly string[] {
    this.#isHandedOut = true;
    return this.#texts;
  }
}

/** Records are JSON text, so that no caller can change them. */
export class MemorySession {
  readonly tenantId: string;
  readonly sessionId: string;
  /** Last activity of a session whose records have no instant. */
  readonly addedAt: number;
  readonly envelopes = new TextList();
  readonly orchestrationEvents = new TextList();
  messages = new TextList();
  readonly sums = new SessionSums();
  /** Number of changes, from a random start: two processes hardly ever agree. */
  revision = Math.floor(Math.random() * 2 ** 40);

  constructor(tenantId: string, sessionId: string, addedAt: number) {
    this.tenantId = tenantId;
    this.sessionId = sessionId;
    this.addedAt = instantOf(addedAt) ?? Date.now();
  }

  addToLog(record: JsonObject): void {
    this.sums.addToLog(record);
    this.revision++;
  }

  addEnvelopes(envelopes: readonly object[]): void {
    for (const envelope of envelopes) {
      this.envelopes.add(jsonTextOf(envelope)!);
      this.sums.addEnvelope(envelope);
    }
    this.revision++;
  }

  addOrchestrationEvents(events: readonly object[]): void {
    for (const event of events) {
      this.orchestrationEvents.add(jsonTextOf(event)!);
      this.sums.addOrchestrationEvent(event);
    }
    this.revision++;
  }

  addMessages(messages: readonly object[]): void {
    for (const message of messages) this.messages.add(jsonTextOf(message)!);
    this.revision++;
  }

  replaceMessages(messages: readonly object[]): void {
    this.messages = new TextList();
    this.addMessages(messages);
  }
}

export class MemoryState {
  readonly #sessions = new Map<string, MemorySession>();

  find(tenantId: string, sessionId: string): MemorySession | undefined {
    return this.#sessions.get(keyText({ tenantId, sessionId }));
  }

  open(tenantId: string, sessionId: string, addedAt: number): MemorySession {
    const existing = this.find(tenantId, sessionId);
    if (existing !== undefined) return existing;
    const session = new MemorySession(tenantId, sessionId, addedAt);
    this.#sessions.set(keyText({ tenantId, sessionId }), session);
    return session;
  }

  list(): MemorySession[] {
    return [...this.#sessions.values()];
  }
}

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
