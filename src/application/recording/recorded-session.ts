import type { RecordableMessage } from "../../domain/conversation/message.js";
import type { JsonObject } from "../../domain/json/json.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { OwnEvent, RecordableEvent, RuntimeEvent } from "../../domain/trace/runtime-event.js";
import type { TraceEvent, WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import { type TokenUsage, usageOf } from "../../domain/usage/token-usage.js";
import type { StoredOrchestrationEvent, TurnRecord } from "../ports/session-store.js";
import type { RecordOptions, SessionRecording } from "./recording.js";
import { storeCall } from "./store-call.js";

/**
 * A method throws a `TypeError` at once for an unknown option, or one of another kind: also with `onError`, because it is a mistake of
 * the program.
 */
export class RecordedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly #recording: SessionRecording;

  constructor(recording: SessionRecording) {
    this.#recording = recording;
    this.tenantId = recording.key.tenantId;
    this.sessionId = recording.key.sessionId;
  }

  /** Number of recorded turns, which is the index of the next one. It does not count turns that others record meanwhile. */
  get turns(): number {
    return this.#recording.turns.count;
  }

  /**
   * True if `turns` includes earlier turns. After an opening without an answer of the store, `turns` counts only those of this recorder
   * until the store answers.
   */
  get knowsTurns(): boolean {
    return this.#recording.turns.hasCount;
  }

  /**
   * Adapters use it to end what they began in the turn.
   * @param listener receives the instant of the turn, in milliseconds since the epoch; it must not throw
   */
  beforeTurn(listener: (at: number) => void): void {
    this.#recording.beforeTurn.push(listener);
  }

  /**
   * Starts a trace: one run of the agent, or of a sub-agent. Its events are numbered from 0; nothing is written before the first.
   * @param traceId unique in the session
   */
  startTrace(traceId: string = this.#recording.clock.newId()): RecordedTrace {
    return new RecordedTrace(this.#recording, traceId);
  }

  /**
   * Adds messages to the conversation, in the types of any library: they are stored unchanged.
   * @example
   * const answer = await anthropic.messages.create({ model, max_tokens, messages });
   * session.appendMessages([...messages, answer]);
   * @throws RecordingError without `onError`, if the store fails
   */
  appendMessages(messages: readonly RecordableMessage[]): Promise<void> {
    return this.#recording.write("append messages", (key) => [
      storeCall({
        key,
        records: messages,
        send: (store, records, options) => store.appendMessages(key, records, options),
      }),
    ]);
  }

  /**
   * Replaces the conversation so far with a shorter one. The store archives the old conversation.
   *
   * @throws RecordingError without `onError`, if the store fails
   */
  compactMessages(messages: readonly RecordableMessage[]): Promise<void> {
    return this.#recording.write("compact messages", (key) => [
      storeCall({
        key,
        records: messages,
        send: (store, records, options) => store.replaceMessages(key, records, options),
      }),
    ]);
  }

  /**
   * Records a completed turn, with the tokens that it used.
   *
   * @param usage missing counts are 0; an invalid count becomes the nearest valid count. Default is the usage of all agents' model calls
   *   (`llm.end`) in traces of this session object since its last turn
   * @throws RecordingError without `onError`, if the store fails or `at` is not an instant
   */
  recordTurn(usage?: Partial<TokenUsage>, options: RecordOptions = {}): Promise<void> {
    const recording = this.#recording;
    return recording.writeAt("record a turn", options, (key, updatedAt) => {
      for (const listener of recording.beforeTurn) listener(updatedAt);
      const used = recording.facts.takeUsageOfTurn();
      const facts = recording.facts.takeForTurn();
      const turnIndex = recording.turns.add();
      const turn: TurnRecord = { ...usage, ...usageOf(usage ?? used), ...facts, turnIndex, updatedAt };
      return [
        storeCall({
          key,
          records: turn,
          send: (store, record, sent) => store.appendTurn(key, record, sent),
          onLost: () => {
            recording.facts.giveBack(facts);
            return false;
          },
        }),
      ];
    });
  }

  /**
   * Records an event of a sub-agent's lifecycle; `docs/data-directory.md` lists the types.
   *
   * @throws RecordingError without `onError`, if the store fails or `at` is not an instant
   */
  recordOrchestration(event: TraceEvent, options: RecordOptions = {}): Promise<void> {
    return this.#recording.writeAt("record an orchestration event", options, (key, at) => {
      const occurredAt = formatInstant(at);
      const full: StoredOrchestrationEvent = {
        eventId: this.#recording.clock.newId(),
        occurredAt,
        ...event,
      };
      this.#recording.facts.followOrchestration(full as JsonObject & StoredOrchestrationEvent);
      const append = storeCall({
        key,
        records: [full],
        send: (store, records, sent) => store.appendOrchestrationEvents(key, records, sent),
      });
      return [append, ...this.#recording.dueFacts(occurredAt)];
    });
  }

  /**
   * Changes the title of the session.
   *
   * @throws RecordingError without `onError`, if the store fails or `at` is not an instant
   */
  setTitle(title: string, options: RecordOptions = {}): Promise<void> {
    return this.#recording.writeAt("set the title", options, (key, updatedAt) => [
      storeCall({
        key,
        records: { title, updatedAt },
        send: (store, update, sent) => store.updateSession(key, update, sent),
      }),
    ]);
  }

  /**
   * Sets the title, unless the session has turns from before its opening here. For adapters, which learn the prompt later.
   * @throws RecordingError without `onError`, if the store fails or `at` is not an instant
   */
  setFirstTitle(title: string, options: RecordOptions = {}): Promise<void> {
    const { turns } = this.#recording;
    return this.#recording.writeAt("set the title", options, (key, updatedAt) => [
      storeCall({
        key,
        records: { title, updatedAt },
        needsAnswers: true,
        send: async (store, update, sent) => {
          if (turns.isFirst) await store.updateSession(key, update, sent);
        },
      }),
    ]);
  }
}

/** Wrong options are a `TypeError`, as in {@link RecordedSession}. */
export class RecordedTrace {
  readonly traceId: string;
  readonly #recording: SessionRecording;
  #sequence = 0;

  constructor(recording: SessionRecording, traceId: string) {
    this.#recording = recording;
    this.traceId = traceId;
  }

  /**
   * Records an event with the next sequence of the trace: a type of the recorder, or a custom type with any members.
   * @throws RecordingError without `onError`, if the store fails or `at` is not an instant
   */
  record<Type extends string>(event: OwnEvent<Type>, options?: RecordOptions): Promise<void>;
  record(event: RuntimeEvent, options?: RecordOptions): Promise<void>;
  record(event: RecordableEvent, options: RecordOptions = {}): Promise<void> {
    return this.#recording.writeAt("record an event", options, (key, at) => {
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
      const append = storeCall({
        key,
        records: [envelope],
        send: (store, records, sent) => store.appendTraceEnvelopes(key, records, sent),
      });
      return [append, ...this.#recording.dueFacts(envelope.timestamp)];
    });
  }
}
