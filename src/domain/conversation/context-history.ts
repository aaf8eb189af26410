import { isJsonObject, type JsonObject, objectField } from "../json/json.js";
import type { EventFacts } from "../spans/event-facts.js";
import { hash53 } from "../text/fingerprints.js";
import { formatInstant } from "../trace/instant.js";
import type { MatchedCall, TracedCall } from "./call-matches.js";
import { contextCalls } from "./context-calls.js";
import { type MessageOrigin, type ReadMessage, readMessage } from "./conversation.js";
import type { ConversationOutline } from "./conversation-outline.js";
import { MatchedContexts } from "./matched-contexts.js";
import { type MessagePart, partText } from "./message-part.js";
import { findModelCall, tracedCall } from "./model-call-of.js";
import type { DroppedMessage, Provenance } from "./provenance.js";
import { recordedContext } from "./recorded-context.js";

interface SeeingCall {
  readonly index: number;
  /** Id of the first envelope. Absent for a call that only the conversation shows. */
  readonly id?: string;
  readonly timestamp?: string;
}

export interface MessageProvenance extends Pick<Provenance, "source" | "repetitions" | "moreRepetitions"> {
  readonly message: {
    readonly index: number;
    readonly item?: number;
    readonly role: string;
    readonly origin: MessageOrigin;
  };
  readonly firstSeen: SeeingCall;
  readonly rewrittenAt: readonly SeeingCall[];
  readonly dropped?: SeeingCall & Omit<DroppedMessage, "at">;
}

export interface ContextMessageName {
  readonly index: number;
  /** Index of a compaction's own message. Default is the message itself. */
  readonly item?: number | undefined;
}

/**
 * Contexts of one agent's model calls. Order of use: the envelopes of the trace, `find`, the messages of the returned agent,
 * `provenance`. It stores digests of messages.
 */
export class ContextHistory {
  readonly #events: EventFacts[] = [];
  readonly #inputs = new Map<string, readonly ReadMessage[]>();
  /** Calls repeat earlier messages, so each is stored once. */
  readonly #digests = new Map<number, ReadMessage>();
  readonly #messages: ReadMessage[] = [];
  #outline: ConversationOutline | undefined;
  #agentId = "";
  #requestId = "";
  #traced: readonly (TracedCall & { readonly endId: string | undefined })[] = [];

  /** @param facts of an envelope that begins or ends something */
  addEnvelope(envelope: JsonObject, facts: EventFacts): void {
    this.#events.push(facts);
    const context = facts.kind === "llm" ? recordedContext([objectField(envelope, "event")]) : undefined;
    if (context !== undefined)
      this.#inputs.set(
        facts.id,
        context.messages.map((message) => this.#digestOf(message)),
      );
  }

  /**
   * @param id of an envelope, of a model call, or of a step that a model call requested
   * @param agents the recorded sub-agents
   * @returns the agent whose conversation to read; `undefined` without such a call
   */
  find(id: string, agents: Iterable<string>): string | undefined {
    const matches = findModelCall(this.#events, agents, id);
    if (matches === undefined) return undefined;
    this.#agentId = matches.call.agentId;
    this.#requestId = matches.call.id;
    this.#traced = matches.calls.map((span) => ({ ...tracedCall(span), endId: span.end?.id }));
    return this.#agentId;
  }

  addMessage(message: JsonObject): void {
    this.#messages.push(digestedMessage(readMessage(message, this.#messages.length)));
  }

  outlineConversation(outline: ConversationOutline): void {
    this.#outline = outline;
  }

  /** @returns `undefined` if the call's context lacks the message, or is not recorded */
  provenance({ index, item }: ContextMessageName): MessageProvenance | undefined {
    const messages = this.#messages;
    const contexts = new MatchedContexts(
      { messages, calls: contextCalls(messages, this.#outline), isSubAgent: this.#agentId !== "" },
      this.#traced,
      {
        has: (call) => this.#inputOf(call) !== undefined,
        read: (call, first) => this.#inputOf(call)?.map((message, i) => ({ ...message, index: first + i })),
      },
    );
    const existing = contexts.matches;
    const at = existing.findIndex(({ traced }) => traced?.spanId === this.#requestId);
    if (at === -1) return undefined;
    const isRecorded = this.#inputOf(existing[at]!.traced) !== undefined;
    const place = isRecorded ? contexts.indexAt(at, index) : this.#placeInConversation(index, item);
    const message = contexts.contextAt(at).find((one) => one.index === place);
    const provenance = message && contexts.provenance(at, message);
    if (provenance === undefined) return undefined;
    const { source, firstContext, rewrittenAt, dropped, repetitions, moreRepetitions } = provenance;
    const { role, origin } = message!;
    return {
      message: { index, ...(item === undefined ? {} : { item }), role, origin },
      source,
      firstSeen: seeingCall(existing, firstContext),
      rewrittenAt: rewrittenAt.map((call) => seeingCall(existing, call)),
      ...(dropped === undefined ? {} : { dropped: droppedAt(existing, dropped) }),
      repetitions,
      moreRepetitions,
    };
  }

  #inputOf(call: (TracedCall & { readonly endId?: string | undefined }) | undefined) {
    return call && (this.#inputs.get(call.spanId) ?? this.#inputs.get(call.endId ?? ""));
  }

  #placeInConversation(index: number, item: number | undefined): number | undefined {
    return item === undefined ? index : this.#messages[index]?.replacement?.[item]?.index;
  }

  #digestOf(message: JsonObject): ReadMessage {
    const hash = hash53(JSON.stringify(message));
    const digest = this.#digests.get(hash) ?? digestedMessage(readMessage(message, 0));
    this.#digests.set(hash, digest);
    return digest;
  }
}

function droppedAt(
  existing: readonly MatchedCall<TracedCall>[],
  { at, ...dropped }: DroppedMessage,
): NonNullable<MessageProvenance["dropped"]> {
  return { ...seeingCall(existing, at), ...dropped };
}

function seeingCall(existing: readonly MatchedCall<TracedCall>[], index: number): SeeingCall {
  const traced = existing[index]?.traced;
  return traced === undefined ? { index } : { index, id: traced.spanId, timestamp: formatInstant(traced.at) };
}

const LONGEST_TEXT = 200;
const DEEPEST = 4;
const MOST_MEMBERS = 32;

/**
 * Bounds the size of a message for comparisons: digests are equal if the messages are. Tool calls retain ids, names and files, and equal
 * inputs stay equal.
 */
function digestedMessage(message: ReadMessage): ReadMessage {
  return {
    ...message,
    parts: message.parts.map(digestedPart),
    replacement: message.replacement?.map(digestedMessage),
  };
}

function digestedPart(part: MessagePart): MessagePart {
  switch (part.type) {
    case "text":
    case "thinking":
      return { type: part.type, text: digestOf(part.text) };
    case "result":
      return { ...part, text: digestOf(part.text), images: [] };
    case "call":
      return { ...part, input: digestedInput(part.input) };
    case "image":
      return { type: "image", source: "" };
    case "other":
      return { type: "text", text: digestOf(partText(part)) };
    default:
      return part satisfies never;
  }
}

function digestOf(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…${hash53(text)}`;
}

function digestedInput(input: unknown, depth = 0): unknown {
  if (typeof input === "string") return digestOf(input);
  if (typeof input !== "object" || input === null) return input;
  if (depth === DEEPEST) return digestOf(JSON.stringify(input));
  const members = Array.isArray(input) ? [...input.entries()] : Object.entries(input);
  const retained = members
    .slice(0, MOST_MEMBERS)
    .map(([name, value]) => [name, digestedInput(value, depth + 1)]);
  if (members.length > MOST_MEMBERS) retained.push(["…", hash53(JSON.stringify(input))]);
  return isJsonObject(input) ? Object.fromEntries(retained) : retained.map(([, value]) => value);
}
