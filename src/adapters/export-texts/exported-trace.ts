import type { SessionKey } from "../../application/ports/session-store.js";
import { type FoundErrors, findErrors } from "../../domain/analysis/diagnosis.js";
import { type EventDetails, eventDetails } from "../../domain/analysis/event-details.js";
import { readSessionSteps } from "../../domain/analysis/read-session-steps.js";
import type { SessionSteps } from "../../domain/analysis/session-steps.js";
import type { ArchivedEnvelope } from "../../domain/archive/archive-record.js";
import { type JsonObject, objectField } from "../../domain/json/json.js";
import { type EventFacts, readEventFacts } from "../../domain/spans/event-facts.js";
import type { Span } from "../../domain/spans/span.js";
import { spanTree } from "../../domain/spans/span-tree.js";
import { orderTrace } from "../../domain/trace/trace-order.js";
import {
  type KeyedEnvelope,
  keysInSteps,
  TraceSequenceMerge,
} from "../../domain/trace/trace-sequence-merge.js";
import { type EventTexts, eventTexts, type ShownLengths } from "./event-texts.js";

/** A trace that was read to its end. */
export interface ReadTrace {
  readonly roots: readonly Span[];
  readonly steps: SessionSteps;
  readonly errors: FoundErrors;
  /** What an event of it says. */
  textsOf(event: EventFacts | undefined): EventTexts;
}

/** How much text of a trace is held, in characters: of what comes behind it little is shown. */
const MOST_HELD = 32 * 2 ** 20;
const SHORT = 200;
const SHORT_TEXTS: ShownLengths = {
  said: SHORT,
  thought: SHORT,
  input: SHORT,
  change: SHORT,
  result: SHORT,
  error: SHORT,
};

/** The trace of a session, of an archive's lines as they come: facts, and what is shown of each text. */
export class ExportedTrace {
  readonly #lengths: ShownLengths;
  #events: EventFacts[] = [];
  #details: EventDetails[] = [];
  #texts: EventTexts[] = [];
  /** What the order depends on. */
  readonly #keys: KeyedEnvelope[] = [];
  readonly #orchestration: unknown[] = [];
  #held = 0;

  /** @param lengths how much is shown of each text */
  constructor(lengths: ShownLengths) {
    this.#lengths = lengths;
  }

  addEnvelope({ envelope, sequence: told }: ArchivedEnvelope): void {
    const { traceId, sequence, timestamp } = envelope;
    this.#keys.push({ traceId, sequence, timestamp });
    this.#add(told === undefined ? { ...envelope } : { ...envelope, sequence: told });
  }

  addEvent(event: unknown): void {
    this.#orchestration.push(event);
  }

  /** @param isPart whether it is of a part of the session: then its envelopes say the sequences that they have in all of it */
  *read({ tenantId, sessionId }: SessionKey, isPart: boolean): Generator<void, ReadTrace> {
    const order = yield* orderTrace(yield* keysInSteps(this.#keys));
    const { positions, renumbered } = order;
    if (positions !== undefined) {
      this.#events = Array.from(positions, (at, index) => ({ ...this.#events[at]!, index }));
      this.#details = Array.from(positions, (at) => this.#details[at]!);
      this.#texts = Array.from(positions, (at) => this.#texts[at]!);
    }
    if (renumbered && !isPart)
      this.#events = this.#events.map((event, index) => ({ ...event, sequence: index }));
    const merge = new TraceSequenceMerge(order);
    const envelopes = yield* merge.orchestrationEnvelopes(tenantId, sessionId, this.#orchestration);
    for (const envelope of envelopes) this.#add({ ...envelope });
    const roots = yield* spanTree(this.#events);
    yield;
    const steps = yield* readSessionSteps(this.#events, this.#details);
    yield;
    const errors = yield* findErrors(roots, ({ index }) => this.#details[index]!);
    const texts = this.#texts;
    return {
      roots,
      steps,
      errors,
      textsOf: (event) => (event === undefined ? {} : (texts[event.index] ?? {})),
    };
  }

  #add(envelope: JsonObject): void {
    const event = objectField(envelope, "event");
    const facts = readEventFacts(envelope, this.#events.length, this.#events.at(-1)?.at ?? 0);
    const texts = eventTexts(event, facts, this.#held < MOST_HELD ? this.#lengths : SHORT_TEXTS);
    this.#events.push(facts);
    this.#details.push(eventDetails(facts, event));
    this.#texts.push(texts);
    this.#held += sizeOf(texts);
  }
}

function sizeOf({ said = "", input, result = "", error = "" }: EventTexts): number {
  return said.length + (input?.text.length ?? 0) + result.length + error.length;
}
