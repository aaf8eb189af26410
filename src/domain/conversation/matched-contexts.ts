import { type MatchedCall, matchCalls, type TracedCall } from "./call-matches.js";
import type { ContextCall } from "./context-calls.js";
import { contextOf } from "./context-messages.js";
import type { ReadMessage } from "./conversation.js";
import { type Provenance, provenanceOf } from "./provenance.js";

/** The contexts that calls themselves record. */
export interface RecordedInputs<Call> {
  has(call: Call): boolean;
  /** @param first index of the first message */
  read(call: Call, first: number): readonly ReadMessage[] | undefined;
}

interface ContextsOfAgent {
  readonly messages: readonly ReadMessage[];
  /** The calls of these messages. */
  readonly calls: readonly ContextCall[];
  readonly isSubAgent: boolean;
}

/**
 * Indexes per call for messages that calls record. They are below 0 and no two calls share one, so that an index identifies each message,
 * as in the conversation.
 */
const INDEXES = 2 ** 20;

const MOST_RECENT = 4;

/** The model calls of an agent with their contexts, in trace order. Prefers the call's record to the conversation. */
export class MatchedContexts<Call extends TracedCall> {
  readonly messages: readonly ReadMessage[];
  readonly matches: readonly MatchedCall<Call>[];
  readonly unseen: number;
  readonly #isSubAgent: boolean;
  readonly #inputs: RecordedInputs<Call>;

  constructor(agent: ContextsOfAgent, traced: readonly Call[], inputs: RecordedInputs<Call>) {
    this.messages = agent.messages;
    this.#isSubAgent = agent.isSubAgent;
    this.#inputs = inputs;
    const { matches, unseen } = matchCalls(agent.calls, traced, (call) => inputs.has(call));
    this.matches = matches;
    this.unseen = unseen;
  }

  /** @returns an empty context without such a call */
  contextAt(at: number): readonly ReadMessage[] {
    const { call, traced } = this.matches[at] ?? {};
    const recorded = traced && this.#inputs.read(traced, this.indexAt(at, 0));
    return recorded ?? (call === undefined ? [] : contextOf(this.messages, call));
  }

  /** Index of a message that a call records. */
  indexAt(at: number, position: number): number {
    return position - (at + 1) * INDEXES;
  }

  message(index: number): ReadMessage | undefined {
    if (index < 0)
      return this.contextAt(-Math.floor(index / INDEXES) - 1).find((message) => message.index === index);
    const message = this.messages[Math.floor(index)];
    return message?.replacement?.find((one) => one.index === index) ?? message;
  }

  /** @returns `undefined` if the call's context does not have the message */
  provenance(at: number, message: ReadMessage): Provenance | undefined {
    // Comparing two consecutive calls reads recorded messages of both, so the recent ones are cached.
    const recent = new Map<number, readonly ReadMessage[]>();
    const contextOf = (call: number) => {
      const context = recent.get(call) ?? this.contextAt(call);
      if (recent.size > MOST_RECENT) recent.clear();
      recent.set(call, context);
      return context;
    };
    const { messages, matches } = this;
    const removalsBefore = (call: number) => matches[call]?.call?.removals ?? [];
    const contexts = {
      count: matches.length,
      messages,
      isSubAgent: this.#isSubAgent,
      removalsBefore,
      contextOf,
    };
    return provenanceOf(contexts, at, message);
  }
}
