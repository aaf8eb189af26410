import { idProblem } from "../domain/ids.js";
import { formatInstant } from "../domain/instant.js";
import type { JsonObject } from "../domain/json.js";
import type { Message } from "../domain/message.js";
import type { RecordableEvent } from "../domain/runtime-event.js";
import { type TokenUsage, usageOf } from "../domain/session.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "../domain/trace-envelope.js";
import { RecordingError } from "./errors.js";
import type { SessionKey, SessionStore, StoredOrchestrationEvent } from "./ports/session-store.js";

/** Where the recorder takes instants and ids from: replaced in tests. */
export interface RecorderClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** The instants of the system, and random UUIDs. */
export const SYSTEM_CLOCK: RecorderClock = { now: Date.now, newId: () => crypto.randomUUID() };

/** Which session to open, and what is known of it when it is new. */
export interface OpenSessionOptions {
  /** Default is `"default"`. */
  readonly tenantId?: string | undefined;
  /** An existing session is gone on with. Default is a new one. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * Records what an agent does, so that the inspector can show it. It gives every record its id, instant and sequence; the
 * store keeps them in the order of the calls, whether or not one waits for each.
 *
 * @example
 * const session = await recorder.open({ tenantId: "acme", userId: "ada", title: "Weekly report" });
 * const trace = session.startTrace();
 * await trace.record({ type: "turn.start", turnIndex: 0 });
 * await session.appendMessages([{ role: "user", content: "hello" }]);
 * await session.recordTurn({ inputTokens: 12, outputTokens: 40 });
 * await trace.record({ type: "turn.end", turnIndex: 0, outcome: "completed" });
 */
export class SessionRecorder {
  readonly #store: SessionStore;
  readonly #clock: RecorderClock;

  constructor(store: SessionStore, clock: RecorderClock = SYSTEM_CLOCK) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Opens a session, or creates it.
   *
   * @throws RecordingError for an id that cannot be one, and where the store fails
   */
  async open(options: OpenSessionOptions = {}): Promise<RecordedSession> {
    const { tenantId = "default", sessionId = this.#clock.newId(), userId = "", agentId, title } = options;
    for (const [name, id] of Object.entries({ tenantId, sessionId })) {
      const problem = idProblem(id);
      if (problem !== undefined) throw new RecordingError(`${name} ${problem}.`);
    }
    const start = { tenantId, sessionId, userId, agentId, title, createdAt: this.#clock.now() };
    const { turns } = await stored(`open session "${sessionId}"`, this.#store.openSession(start));
    return new RecordedSession(this.#store, this.#clock, { tenantId, sessionId }, turns);
  }
}

/** A session that is being recorded. */
export class RecordedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly #store: SessionStore;
  readonly #clock: RecorderClock;
  #turns: number;

  constructor(store: SessionStore, clock: RecorderClock, key: SessionKey, turns: number) {
    this.#store = store;
    this.#clock = clock;
    this.tenantId = key.tenantId;
    this.sessionId = key.sessionId;
    this.#turns = turns;
  }

  /** How many turns were recorded so far: the index of the next one. */
  get turns(): number {
    return this.#turns;
  }

  /** Starts a trace: one run of the agent, or of a sub-agent. Its events are numbered from 0; nothing is written before the first. */
  startTrace(traceId: string = this.#clock.newId()): RecordedTrace {
    return new RecordedTrace(this.#store, this.#clock, this, traceId);
  }

  /**
   * Adds messages to the conversation, as they were sent to the model or came from it.
   *
   * @throws RecordingError where the store fails
   */
  async appendMessages(messages: readonly Message[]): Promise<void> {
    await stored("append messages", this.#store.appendMessages(this, messages));
  }

  /**
   * Puts a shorter conversation in the place of the one so far, which the store archives.
   *
   * @throws RecordingError where the store fails
   */
  async compactMessages(messages: readonly Message[]): Promise<void> {
    await stored("compact messages", this.#store.replaceMessages(this, messages));
  }

  /**
   * Records the tokens of a turn; what is left out counts as 0, and what is no count as the nearest one.
   *
   * @throws RecordingError where the store fails
   */
  async recordTurn(usage: Partial<TokenUsage> = {}): Promise<void> {
    const turn = { ...usage, ...usageOf(usage), turnIndex: this.#turns++, updatedAt: this.#clock.now() };
    await stored("record a turn", this.#store.appendTurn(this, turn));
  }

  /**
   * Records an event of a sub-agent's life; the types are listed in `docs/data-directory.md`.
   *
   * @throws RecordingError where the store fails
   */
  async recordOrchestration(event: TraceEvent): Promise<void> {
    const occurredAt = formatInstant(this.#clock.now());
    const full: StoredOrchestrationEvent = { eventId: this.#clock.newId(), occurredAt, ...event };
    await stored("record an orchestration event", this.#store.appendOrchestrationEvents(this, [full]));
  }

  /**
   * Gives the session another title.
   *
   * @throws RecordingError where the store fails
   */
  async setTitle(title: string): Promise<void> {
    const update = { title, updatedAt: this.#clock.now() };
    await stored("set the title", this.#store.updateSession(this, update));
  }
}

/** A trace that is being recorded. */
export class RecordedTrace {
  readonly traceId: string;
  readonly #store: SessionStore;
  readonly #clock: RecorderClock;
  readonly #session: SessionKey;
  #sequence = 0;

  constructor(store: SessionStore, clock: RecorderClock, session: SessionKey, traceId: string) {
    this.#store = store;
    this.#clock = clock;
    this.#session = session;
    this.traceId = traceId;
  }

  /**
   * Records an event with the next sequence of the trace.
   *
   * @throws RecordingError where the store fails
   */
  async record(event: RecordableEvent): Promise<void> {
    const envelope: WorkflowTraceEventEnvelope = {
      id: this.#clock.newId(),
      timestamp: formatInstant(this.#clock.now()),
      sequence: this.#sequence++,
      source: "runtime",
      sessionId: this.#session.sessionId,
      tenantId: this.#session.tenantId,
      traceId: this.traceId,
      event: event as JsonObject & TraceEvent,
    };
    await stored(`record "${event.type}"`, this.#store.appendTraceEnvelopes(this.#session, [envelope]));
  }
}

async function stored<T>(what: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new RecordingError(`The session store could not ${what}.`, { cause: error });
  }
}
