import { withoutParts } from "../../domain/conversation/call-context.js";
import { type ReadMessage, readMessage } from "../../domain/conversation/conversation.js";
import { type JsonObject, recordIn } from "../../domain/json/json.js";
import { type PlainBatch, plainBatch, type RecordBatch } from "../../domain/json/record-batch.js";
import { type EventFacts, readEventFacts } from "../../domain/spans/event-facts.js";
import { newSubject } from "../../domain/text/subject.js";
import { ownModule } from "../ports/reading-pool.js";

export interface FactsBatch extends PlainBatch {
  readonly at: number;
}

export interface EventBatch extends FactsBatch {
  readonly previousAt: number;
  readonly id: string;
}

export function factsBatch(batch: RecordBatch, at: number): FactsBatch {
  return { ...plainBatch(batch), at };
}

const KINDS: ReadonlySet<string> = new Set(["llm", "tool", "turn", "run", "compaction", "agent"]);

export const EVENT_FACTS = {
  module: ownModule(import.meta.url, "context-facts"),
  name: "eventFacts",
  steps: eventFacts,
};

export function* eventFacts(batch: EventBatch) {
  const events: EventFacts[] = [];
  return { events, ...(yield* readSteps(batch, (facts) => events.push(facts))) };
}

/** @param take receives the beginnings and ends of steps */
export function* readSteps(
  batch: EventBatch,
  take: (facts: EventFacts, envelope: JsonObject) => void,
): Generator<void, { readonly lastAt: number; readonly agents: readonly string[] }> {
  const agents: string[] = [];
  let lastAt = batch.previousAt;
  for (const [i, envelope] of recordsIn(batch)) {
    const facts = readEventFacts(envelope, batch.at + i, lastAt);
    lastAt = facts.at;
    const isStep = facts.id === batch.id || (KINDS.has(facts.kind) && facts.phase !== "point");
    if (isStep && facts.bookkeeping === undefined) {
      take({ ...facts, subject: NO_SUBJECT, error: undefined, directory: undefined }, envelope);
      if (facts.kind === "agent") agents.push(facts.agentId ?? "");
    }
    yield;
  }
  return { lastAt, agents };
}

const NO_SUBJECT = newSubject("");

export const MESSAGE_FACTS = {
  module: ownModule(import.meta.url, "context-facts"),
  name: "messageFacts",
  steps: messageFacts,
};

export function* messageFacts(batch: FactsBatch): Generator<void, ReadMessage[]> {
  const messages: ReadMessage[] = [];
  for (const [i, record] of recordsIn(batch)) {
    messages.push(withoutParts(readMessage(record, batch.at + i)));
    yield;
  }
  return messages;
}

const decoder = new TextDecoder();

export function* recordsIn({ text, starts, ends }: PlainBatch): Generator<readonly [number, JsonObject]> {
  for (let i = 0; i < ends.length; i++) {
    yield [i, recordIn(decoder.decode(text.subarray(starts[i], ends[i])))];
  }
}
