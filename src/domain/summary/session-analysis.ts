import { type AgentContexts, agentContexts } from "../context/agent-contexts.js";
import { BytesCount } from "../context/bytes-account.js";
import {
  AS_STORED,
  type ItemisedMessage,
  type ItemReading,
  itemisedMessage,
} from "../context/context-item.js";
import { readMessage } from "../conversation/conversation.js";
import type { ConversationOutline } from "../conversation/conversation-outline.js";
import { recordedContext } from "../conversation/recorded-context.js";
import { findErrors, type SessionErrors } from "../diagnosis/diagnosis.js";
import { type JsonObject, objectField } from "../json/json.js";
import { groupBy } from "../lists/lists.js";
import { type EventFacts, readEventFacts } from "../spans/event-facts.js";
import { spanTree } from "../spans/span-tree.js";
import { type EventDetails, eventDetails } from "../steps/event-details.js";
import { readSessionSteps } from "../steps/read-session-steps.js";
import type { SessionSteps } from "../steps/session-steps.js";
import { hash53 } from "../text/fingerprints.js";

/**
 * Computes the numbers of one session, in this order: all envelopes of its trace, `steps()`, the messages of its agents, the queries. It
 * stores figures, hashes and one line of text for each record.
 */
export class SessionAnalysis {
  readonly bytes = new BytesCount();
  readonly reading: ItemReading;
  #events: EventFacts[] = [];
  #details: EventDetails[] = [];
  readonly #messages = new Map<string, ItemisedMessage[]>();
  readonly #outlines = new Map<string, ConversationOutline>();
  readonly #inputs = new Map<string, readonly ItemisedMessage[]>();
  /** Calls repeat the messages of earlier calls, so each message is stored once. */
  readonly #items = new Map<number, ItemisedMessage>();
  #steps: SessionSteps | undefined;
  #errors: SessionErrors | undefined;

  /** @param reading default is `AS_STORED` */
  constructor(reading: ItemReading = AS_STORED) {
    this.reading = reading;
  }

  /** @param bytes length of the envelope's JSON in UTF-8 */
  addEnvelope(envelope: JsonObject, bytes: number): void {
    this.bytes.add(envelope, bytes);
    const event = objectField(envelope, "event");
    const facts = readEventFacts(envelope, this.#events.length, this.#events.at(-1)?.at ?? 0);
    this.#events.push(facts);
    this.#details.push(eventDetails(facts, event));
    const context = facts.kind === "llm" ? recordedContext([event]) : undefined;
    if (context === undefined) return;
    this.#inputs.set(
      facts.id,
      context.messages.map((message) => this.#itemised(message)),
    );
  }

  /** Call it before `steps()`, which releases the events. */
  *errors(): Generator<void, SessionErrors> {
    if (this.#errors !== undefined) return this.#errors;
    const roots = yield* spanTree(this.#events);
    yield;
    this.#errors = yield* findErrors(roots, ({ index }) => this.#details[index]!);
    return this.#errors;
  }

  *steps(): Generator<void, SessionSteps> {
    if (this.#steps !== undefined) return this.#steps;
    this.#steps = yield* readSessionSteps(this.#events, this.#details);
    // Nothing else needs them, and they take more memory than all the rest.
    this.#events = [];
    this.#details = [];
    return this.#steps;
  }

  /** @param index in the conversation, in any order. Default is the next one */
  addMessage(agentId: string, message: JsonObject, index?: number): void {
    const messages = this.#messages.get(agentId) ?? [];
    this.#messages.set(agentId, messages);
    const at = index ?? messages.length;
    messages[at] = itemisedMessage(readMessage(message, at), this.reading);
  }

  outlineConversation(agentId: string, outline: ConversationOutline): void {
    this.#outlines.set(agentId, outline);
  }

  conversation(agentId: string): readonly ItemisedMessage[] {
    return this.#messages.get(agentId) ?? [];
  }

  *contexts(): Generator<void, readonly AgentContexts[]> {
    const steps = yield* this.steps();
    const contexts: AgentContexts[] = [];
    for (const [agentId, calls] of groupBy(steps.calls, (call) => call.agentId)) {
      const recorded = new Map<string, readonly ItemisedMessage[]>();
      for (const { stepId, endId = "" } of calls) {
        const context = this.#inputs.get(stepId) ?? this.#inputs.get(endId);
        if (context !== undefined) recorded.set(stepId, context);
      }
      const messages = this.#messages.get(agentId) ?? [];
      contexts.push(agentContexts(agentId, messages, calls, recorded, this.#outlines.get(agentId)));
      yield;
    }
    return contexts;
  }

  #itemised(message: JsonObject): ItemisedMessage {
    const hash = hash53(JSON.stringify(message));
    const itemised = this.#items.get(hash) ?? itemisedMessage(readMessage(message, -1), this.reading);
    this.#items.set(hash, itemised);
    return itemised;
  }
}
