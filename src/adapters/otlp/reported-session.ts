import type {
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "../../application/ports/session-store.js";
import { SessionSums } from "../../application/recording/session-sums.js";
import type { Message } from "../../domain/conversation/message.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import { keysOfEnvelopes } from "../../domain/trace/trace-sequence-merge.js";
import { TextRecords } from "./text-records.js";

type EnvelopePlace = Pick<WorkflowTraceEventEnvelope, "traceId" | "sequence" | "timestamp">;

export class AnnouncedSession {
  readonly sums = new SessionSums();
  readonly records: SessionTexts | undefined;

  constructor(storesRecords: boolean) {
    this.records = storesRecords ? new SessionTexts() : undefined;
  }
}

export class SessionTexts {
  readonly trace = new TextRecords();
  readonly orchestration = new TextRecords();
  messages = new TextRecords();
  readonly #places: EnvelopePlace[] = [];

  addEnvelope(envelope: WorkflowTraceEventEnvelope): void {
    const { traceId, sequence, timestamp } = envelope;
    this.trace.add(envelope);
    this.#places.push({ traceId, sequence, timestamp });
  }

  get keys(): TraceKeys {
    return keysOfEnvelopes(this.#places);
  }

  get bytes(): number {
    const { trace, orchestration, messages } = this;
    return trace.bytes + orchestration.bytes + messages.bytes + this.#places.length * BYTES_PER_PLACE;
  }
}

const BYTES_PER_PLACE = 100;

export class ReportedSessions implements SessionStore {
  readonly isImmediate = true;
  readonly sessions = new Map<string, AnnouncedSession>();
  readonly #wanted: string | undefined;

  /** @param wanted the only session whose records are stored; without it, those of all */
  constructor(wanted?: string) {
    this.#wanted = wanted;
  }

  async openSession(start: SessionStart): Promise<{ readonly turns: number }> {
    const { sessionId } = start;
    const existing = this.sessions.get(sessionId);
    const session = existing ?? new AnnouncedSession(sessionId === this.#wanted);
    if (existing === undefined) {
      this.sessions.set(sessionId, session);
      session.sums.addToLog({ type: "init", ...start });
    }
    return { turns: session.sums.log.turns };
  }

  async updateSession(session: SessionKey, update: SessionUpdate): Promise<void> {
    this.#of(session).sums.addToLog({ type: "update", ...update });
  }

  async appendTurn(session: SessionKey, turn: TurnRecord): Promise<void> {
    this.#of(session).sums.addToLog({ type: "turn", ...turn });
  }

  async appendTraceEnvelopes(
    session: SessionKey,
    envelopes: readonly WorkflowTraceEventEnvelope[],
  ): Promise<void> {
    const { sums, records } = this.#of(session);
    for (const envelope of envelopes) {
      sums.addEnvelope(envelope);
      records?.addEnvelope(envelope);
    }
  }

  async appendOrchestrationEvents(
    session: SessionKey,
    events: readonly StoredOrchestrationEvent[],
  ): Promise<void> {
    const { sums, records } = this.#of(session);
    for (const event of events) {
      sums.addOrchestrationEvent(event);
      records?.orchestration.add(event);
    }
  }

  async appendMessages(session: SessionKey, messages: readonly Message[]): Promise<void> {
    const { records } = this.#of(session);
    for (const message of messages) records?.messages.add(message);
  }

  async replaceMessages(session: SessionKey, messages: readonly Message[]): Promise<void> {
    const { records } = this.#of(session);
    if (records !== undefined) records.messages = new TextRecords();
    await this.appendMessages(session, messages);
  }

  #of({ sessionId }: SessionKey): AnnouncedSession {
    return this.sessions.get(sessionId)!;
  }
}
