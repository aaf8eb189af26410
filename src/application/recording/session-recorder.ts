import type { RecordableMessage } from "../../domain/conversation/message.js";
import type { JsonObject } from "../../domain/json/json.js";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { FUNCTION } from "../../domain/options/option-kinds.js";
import { idProblem } from "../../domain/session/ids.js";
import { type TokenUsage, usageOf } from "../../domain/session/session.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { OwnEvent, RecordableEvent, RuntimeEvent } from "../../domain/trace/runtime-event.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import { RecordingError } from "../errors.js";
import type { SessionKey, SessionStore, StoredOrchestrationEvent } from "../ports/session-store.js";
import {
  instantFor,
  type OnRecordingError,
  RECORDER_CLOCK,
  type RecordedInstant,
  type RecorderClock,
  SessionRecording,
  StoreCalls,
} from "./recording.js";

/** The instants of the system, and random UUIDs. */
export const SYSTEM_CLOCK: RecorderClock = { now: Date.now, newId: () => crypto.randomUUID() };

export interface RecorderOptions {
  /**
   * Is told of what could not be recorded. With it no call of the recorder, its sessions and their traces rejects; without it
   * a call that fails rejects with a `RecordingError`, for whoever awaits it.
   */
  readonly onError?: OnRecordingError | undefined;
  /** Default is the system's clock, and random UUIDs. */
  readonly clock?: RecorderClock | undefined;
}

export const RECORDER_OPTIONS = {
  onError: FUNCTION,
  clock: RECORDER_CLOCK,
} satisfies OptionTable<RecorderOptions>;

/** What may be said of something that is recorded. */
export interface RecordOptions {
  /** When it happened, where that was earlier: a `Date`, or milliseconds since the epoch. Default is now. */
  readonly at?: RecordedInstant | undefined;
}

/** Which session to open, and what is known of it when it is new. */
export interface OpenSessionOptions {
  /** Default is `"default"`. */
  readonly tenantId?: string | undefined;
  /** An existing session is gone on with. Default is a new one. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly title?: string | undefined;
  /** When a new session began, where that was earlier: a `Date`, or milliseconds since the epoch. Default is now. */
  readonly at?: RecordedInstant | undefined;
}

/**
 * Records what an agent does, so that the inspector can show it. It gives every record its id, instant and sequence; the
 * store keeps them in the order of the calls, whether or not one waits for each. A call that nobody waits for and that fails is
 * no unhandled rejection.
 *
 * @example
 * const recorder = new SessionRecorder(store, { onError: (error) => log.warn(error) });
 * const session = await recorder.open({ tenantId: "acme", userId: "ada", title: "Weekly report" });
 * const trace = session.startTrace();
 * trace.record({ type: "turn.start", turnIndex: 0 });
 * session.appendMessages([{ role: "user", content: "hello" }]);
 * session.recordTurn({ inputTokens: 12, outputTokens: 40 });
 * trace.record({ type: "turn.end", turnIndex: 0, outcome: "completed" });
 * await recorder.flush();
 */
export class SessionRecorder {
  readonly #store: SessionStore;
  readonly #clock: RecorderClock;
  readonly #calls: StoreCalls;

  /** @throws TypeError for an option that there is not, or whose value is of another kind */
  constructor(store: SessionStore, options: RecorderOptions = {}) {
    checkOptions(RECORDER_OPTIONS, options);
    const { clock = SYSTEM_CLOCK, onError } = options;
    this.#store = store;
    this.#clock = clock;
    this.#calls = new StoreCalls(onError);
  }

  /**
   * Opens a session, or creates it. With `onError`, there is a session to record in also where that fails: of one that the store
   * could not open it is tried to store the records, of one whose id cannot be one each is reported.
   *
   * @throws RecordingError without `onError`: for an id that cannot be one, and where the store fails
   */
  open(options: OpenSessionOptions = {}): Promise<RecordedSession> {
    const {
      tenantId = "default",
      sessionId = this.#clock.newId(),
      userId = "",
      agentId,
      title,
      at,
    } = options;
    const key = { tenantId, sessionId };
    const parts = { store: this.#store, clock: this.#clock, calls: this.#calls };
    const refusal = refusalOf(key);
    const recording = new SessionRecording(parts, key, refusal);
    const open = async () => {
      if (refusal !== undefined) throw refusal;
      const start = { ...key, userId, agentId, title, createdAt: instantFor(at, this.#clock), errors: 0 };
      const { turns } = await this.#store.openSession(start);
      return new RecordedSession(recording, turns);
    };
    return this.#calls.run(`open session "${sessionId}"`, open, new RecordedSession(recording, 0));
  }

  /**
   * Waits until everything that was recorded so far is stored, or has failed and been reported. It never rejects.
   */
  flush(): Promise<void> {
    return this.#calls.flush();
  }
}

/** A session that is being recorded. */
export class RecordedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly #recording: SessionRecording;
  #turns: number;

  constructor(recording: SessionRecording, turns: number) {
    this.#recording = recording;
    this.tenantId = recording.key.tenantId;
    this.sessionId = recording.key.sessionId;
    this.#turns = turns;
  }

  /**
   * How many turns were recorded so far: the index of the next one. Turns that others record in the session meanwhile are not
   * counted here; the session list counts all of them.
   */
  get turns(): number {
    return this.#turns;
  }

  /**
   * Starts a trace: one run of the agent, or of a sub-agent. Its events are numbered from 0; nothing is written before the first.
   *
   * @param traceId an id that no other trace of the session has
   */
  startTrace(traceId: string = this.#recording.clock.newId()): RecordedTrace {
    return new RecordedTrace(this.#recording, traceId);
  }

  /**
   * Adds messages to the conversation, as they were sent to the model or came from it, in the types of whatever library made
   * them: they are stored as they are.
   *
   * @example
   * const answer = await anthropic.messages.create({ model, max_tokens, messages });
   * session.appendMessages([...messages, answer]);
   *
   * @throws RecordingError without `onError`, where the store fails
   */
  appendMessages(messages: readonly RecordableMessage[]): Promise<void> {
    return this.#recording.write("append messages", (store, key) => store.appendMessages(key, messages));
  }

  /**
   * Puts a shorter conversation in the place of the one so far, which the store archives.
   *
   * @throws RecordingError without `onError`, where the store fails
   */
  compactMessages(messages: readonly RecordableMessage[]): Promise<void> {
    return this.#recording.write("compact messages", (store, key) => store.replaceMessages(key, messages));
  }

  /**
   * Records the tokens of a turn; what is left out counts as 0, and what is no count as the nearest one.
   *
   * @throws RecordingError without `onError`, where the store fails or `at` is no instant
   */
  recordTurn(usage: Partial<TokenUsage> = {}, options: RecordOptions = {}): Promise<void> {
    return this.#recording.write("record a turn", (store, key) => {
      const updatedAt = this.#recording.instant(options.at);
      const facts = this.#recording.facts.takeForTurn();
      const turn = { ...usage, ...usageOf(usage), ...facts, turnIndex: this.#turns++, updatedAt };
      return this.#recording.keepingFacts(facts, store.appendTurn(key, turn));
    });
  }

  /**
   * Records an event of a sub-agent's life; the types are listed in `docs/data-directory.md`.
   *
   * @throws RecordingError without `onError`, where the store fails or `at` is no instant
   */
  recordOrchestration(event: TraceEvent, options: RecordOptions = {}): Promise<void> {
    return this.#recording.write("record an orchestration event", (store, key) => {
      const occurredAt = formatInstant(this.#recording.instant(options.at));
      const full: StoredOrchestrationEvent = {
        eventId: this.#recording.clock.newId(),
        occurredAt,
        ...event,
      };
      this.#recording.facts.followOrchestration(full as JsonObject & StoredOrchestrationEvent);
      return this.#recording.withFacts(store, occurredAt, store.appendOrchestrationEvents(key, [full]));
    });
  }

  /**
   * Gives the session another title.
   *
   * @throws RecordingError without `onError`, where the store fails or `at` is no instant
   */
  setTitle(title: string, options: RecordOptions = {}): Promise<void> {
    return this.#recording.write("set the title", (store, key) =>
      store.updateSession(key, { title, updatedAt: this.#recording.instant(options.at) }),
    );
  }
}

/** A trace that is being recorded. */
export class RecordedTrace {
  readonly traceId: string;
  readonly #recording: SessionRecording;
  #sequence = 0;

  constructor(recording: SessionRecording, traceId: string) {
    this.#recording = recording;
    this.traceId = traceId;
  }

  /**
   * Records an event with the next sequence of the trace: one that the recorder offers, whose members the compiler checks, or one
   * of the application's own with any members.
   *
   * @throws RecordingError without `onError`, where the store fails or `at` is no instant
   */
  record<Type extends string>(event: OwnEvent<Type>, options?: RecordOptions): Promise<void>;
  record(event: RuntimeEvent, options?: RecordOptions): Promise<void>;
  record(event: RecordableEvent, options: RecordOptions = {}): Promise<void> {
    return this.#recording.write("record an event", (store, key) => {
      const at = this.#recording.instant(options.at);
      const envelope: WorkflowTraceEventEnvelope = {
        id: this.#recording.clock.newId(),
        timestamp: formatInstant(at),
        sequence: this.#sequence++,
        source: "runtime",
        sessionId: key.sessionId,
        tenantId: key.tenantId,
        traceId: this.traceId,
        event: event as JsonObject & TraceEvent,
      };
      this.#recording.facts.followEnvelope(envelope.event, this.traceId, at);
      return this.#recording.withFacts(
        store,
        envelope.timestamp,
        store.appendTraceEnvelopes(key, [envelope]),
      );
    });
  }
}

/** Why nothing can be recorded under these ids. */
function refusalOf(key: SessionKey): RecordingError | undefined {
  for (const [name, id] of Object.entries(key)) {
    const problem = typeof id === "string" ? idProblem(id) : "must be a text";
    if (problem !== undefined) return new RecordingError(`${name} ${problem}.`);
  }
  return undefined;
}
