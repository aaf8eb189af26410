import { isModelCall } from "../../domain/conversation/model-call-of.js";
import { type Span, walkSpans } from "../../domain/spans/span.js";

export interface ConversationPart {
  isComplete: boolean;
  readonly turns: Set<Span>;
  readonly prompts: Set<Span>;
  readonly calls: Set<Span>;
  readonly readers: Set<Span>;
  readonly toolCallIds: Set<string>;
}

export class ChosenSpans {
  readonly events = new Set<number>();
  readonly conversations = new Map<string, ConversationPart>();
  readonly #requestedBy = new Map<Span, Span>();
  readonly #added = new Set<Span>();

  constructor(spans: readonly Span[]) {
    for (const call of spans) for (const tool of call.calls ?? []) this.#requestedBy.set(tool, call);
  }

  /** Without recursion, because the depth comes from untrusted input. */
  addStep(step: Span): void {
    const open = [step];
    for (let span = open.pop(); span !== undefined; span = open.pop()) {
      for (let at: Span | undefined = span; at !== undefined && !this.#added.has(at); at = at.parent) {
        this.#added.add(at);
        this.#addOne(at);
        const call = this.#requestedBy.get(at);
        if (call !== undefined) open.push(call);
      }
    }
  }

  addRead(call: Span): void {
    this.addStep(call);
    this.#conversationOf(call).readers.add(call);
  }

  addTurn(turn: Span): void {
    this.#conversationOf(turn).turns.add(turn);
    this.addAll(turn);
  }

  addAll(root: Span): void {
    walkSpans([root], (span) => {
      for (const record of span.bookkeeping) this.addEnds(record);
      if (span.kind === "agent" && span.agentId !== "") this.#conversationOf(span).isComplete = true;
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
    for (const child of children) if (child.kind === "text") this.addEnds(child);
  }

  /** Adds only its own events. An agent without a spawning call has none: its span comes from its first event. */
  addEnds({ id, start, end }: Span): void {
    if (id === start.id) this.events.add(start.index);
    if (end !== undefined) this.events.add(end.index);
  }

  #conversationOf({ agentId }: Span): ConversationPart {
    const existing = this.conversations.get(agentId) ?? {
      isComplete: false,
      turns: new Set(),
      prompts: new Set(),
      calls: new Set(),
      readers: new Set(),
      toolCallIds: new Set(),
    };
    this.conversations.set(agentId, existing);
    return existing;
  }
}
