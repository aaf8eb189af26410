import { isModelCall } from "../../domain/spans/model-call-of.js";
import { type Span, walkSpans } from "../../domain/spans/span.js";

/** Which messages of a conversation go with a part of the trace. */
export interface ConversationPart {
  /** All of them. */
  isWhole: boolean;
  /** The messages of these turns. */
  readonly turns: Set<Span>;
  /** What asked for these turns. */
  readonly prompts: Set<Span>;
  /** The answers of these model calls. */
  readonly calls: Set<Span>;
  /** What these model calls were given. */
  readonly seenBy: Set<Span>;
  /** The calls and results of tools, by their vendor's ids. */
  readonly toolCallIds: Set<string>;
}

/** Steps of a trace, with what they lie in. */
export class ChosenSpans {
  readonly events = new Set<number>();
  readonly conversations = new Map<string, ConversationPart>();
  /** The model call that asked for a tool call. */
  readonly #askedBy = new Map<Span, Span>();
  /** What is in the part by itself, or because something lies in it. */
  readonly #added = new Set<Span>();

  constructor(spans: readonly Span[]) {
    for (const call of spans) for (const tool of call.calls ?? []) this.#askedBy.set(tool, call);
  }

  /** A step, what it lies in, and the model calls that asked for these. Without recursion, because the depth is that of foreign input. */
  addStep(step: Span): void {
    const open = [step];
    for (let span = open.pop(); span !== undefined; span = open.pop()) {
      for (let at: Span | undefined = span; at !== undefined && !this.#added.has(at); at = at.parent) {
        this.#added.add(at);
        this.#addOne(at);
        const call = this.#askedBy.get(at);
        if (call !== undefined) open.push(call);
      }
    }
  }

  /** A model call, and what it was given. */
  addSeen(call: Span): void {
    this.addStep(call);
    this.#conversationOf(call).seenBy.add(call);
  }

  addTurn(turn: Span): void {
    this.#conversationOf(turn).turns.add(turn);
    this.addAll(turn);
  }

  /** A span with all that is in it: the agents in it have their whole conversations. */
  addAll(root: Span): void {
    walkSpans([root], (span) => {
      for (const record of span.bookkeeping) this.addEnds(record);
      if (span.kind === "agent" && span.agentId !== "") this.#conversationOf(span).isWhole = true;
      this.addStep(span);
    });
  }

  #addOne(span: Span): void {
    this.addEnds(span);
    const { kind, children, start } = span;
    if (kind === "turn") this.#conversationOf(span).prompts.add(span);
    if (kind === "tool" && start.key !== undefined) this.#conversationOf(span).toolCallIds.add(start.key);
    if (!isModelCall(span)) return;
    this.#conversationOf(span).calls.add(span);
    for (const said of children) if (said.kind === "text") this.addEnds(said);
  }

  /** Its events alone. An agent that nothing spawned has none: its span is made of the first one of its own. */
  addEnds({ id, start, end }: Span): void {
    if (id === start.id) this.events.add(start.index);
    if (end !== undefined) this.events.add(end.index);
  }

  #conversationOf({ agentId }: Span): ConversationPart {
    const known = this.conversations.get(agentId) ?? {
      isWhole: false,
      turns: new Set(),
      prompts: new Set(),
      calls: new Set(),
      seenBy: new Set(),
      toolCallIds: new Set(),
    };
    this.conversations.set(agentId, known);
    return known;
  }
}
