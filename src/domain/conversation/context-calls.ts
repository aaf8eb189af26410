import { groupBy } from "../lists/lists.js";
import type { MessageOutline } from "./conversation.js";
import {
  type ContextRemoval,
  type ConversationOutline,
  isCompaction,
  type MessageRun,
  type OutlinedCall,
  VisibleMessages,
} from "./conversation-outline.js";

export interface ContextCall {
  readonly index: number;
  /** The context: messages of these runs before `to`. Calls without a removal between them share the array. */
  readonly visible: readonly MessageRun[];
  readonly to: number;
  readonly cleared: ReadonlySet<string>;
  /** End of the answer's messages, exclusive: `to` without an answer. */
  readonly answerEnd: number;
  readonly answerId: string | undefined;
  readonly isRecorded: boolean;
  readonly removals: readonly ContextRemoval[];
}

export function isCompacted({ removals }: Pick<ContextCall, "removals">): boolean {
  return removals.some(isCompaction);
}

function leadingSystemMessages(messages: readonly MessageOutline[]): number {
  const first = messages.findIndex(({ origin }) => origin !== "system");
  return first === -1 ? messages.length : first;
}

/**
 * Derives model calls and their contexts from a history. An answer may be several consecutive messages with the same id; without ids each
 * is its own answer. Without an outline, the last compaction removes everything before its summary except leading system messages.
 */
export function contextCalls(
  messages: readonly MessageOutline[],
  outline?: ConversationOutline,
): ContextCall[] {
  return new CallFinder(messages, outline).find();
}

const NONE: readonly ContextRemoval[] = [];

class CallFinder {
  readonly #messages: readonly MessageOutline[];
  readonly #outline: ConversationOutline | undefined;
  readonly #begun: ReadonlyMap<number, readonly OutlinedCall[]>;
  readonly #visible = new VisibleMessages();
  readonly #calls: ContextCall[] = [];
  #removals: ContextRemoval[] = [];
  #nextRemoval = 0;
  #summary: number;

  constructor(messages: readonly MessageOutline[], outline: ConversationOutline | undefined) {
    this.#messages = messages;
    this.#outline = outline;
    this.#begun = groupBy(outline?.calls ?? [], ({ at }) => at);
    this.#summary = leadingSystemMessages(messages);
  }

  find(): ContextCall[] {
    for (let at = 0; at <= this.#messages.length; at++) {
      this.#removeAt(at);
      const begun = this.#begun.get(at) ?? [];
      // A message that its own position removes was never part of a request: a failure, or a copy.
      const isAnswer = this.#messages[at]?.origin === "assistant" && this.#visible.sees(at);
      // Of several attempts at one position, the last one has the answer.
      const unanswered = isAnswer ? begun.slice(0, -1) : begun;
      for (const one of unanswered) this.#add(at, at, one.callId, one.isRecorded);
      if (!isAnswer) continue;
      const end = this.#answerEnd(at);
      const last = this.#calls.at(-1);
      const { answerId } = this.#messages[at]!;
      const call = begun.at(-1);
      // Some writers store a tool's result between two pieces of one answer, which is still one call.
      const isPiece =
        last?.answerId !== undefined && last.answerId === answerId && this.#removals.length === 0;
      if (call === undefined && isPiece) this.#calls[last.index] = { ...last, answerEnd: end };
      else this.#add(at, end, call?.callId ?? answerId, call?.isRecorded);
      at = end - 1;
    }
    return this.#calls;
  }

  #add(to: number, answerEnd: number, answerId: string | undefined, isRecorded = false): void {
    const { runs: visible, cleared } = this.#visible;
    const [index, removals] = [this.#calls.length, this.#removals.length === 0 ? NONE : this.#removals];
    this.#calls.push({ index, visible, to, cleared, answerEnd, answerId, isRecorded, removals });
    this.#removals = [];
  }

  #removeAt(at: number): void {
    if (this.#outline === undefined) return this.#removeBeforeSummary(at);
    const { removals } = this.#outline;
    for (
      ;
      this.#nextRemoval < removals.length && removals[this.#nextRemoval]!.at <= at;
      this.#nextRemoval++
    ) {
      this.#remove(removals[this.#nextRemoval]!);
    }
  }

  #remove(removal: ContextRemoval): void {
    this.#visible.apply(removal);
    this.#removals.push(removal);
  }

  #removeBeforeSummary(at: number): void {
    const message = this.#messages[at];
    if (message?.origin !== "summary" || at <= this.#summary) return;
    const system = message.replacement === undefined ? leadingSystemMessages(this.#messages) : 0;
    this.#remove({ at, cause: "compaction", messages: [[system, at]] });
    this.#summary = at;
  }

  #answerEnd(from: number): number {
    const first = this.#messages[from]!;
    const isOutlined = this.#begun.has(from);
    const goesOn = (next: MessageOutline | undefined) =>
      next?.origin === "assistant" &&
      (first.isItem ? next.isItem : first.answerId !== undefined && next.answerId === first.answerId);
    let end = from + 1;
    while (goesOn(this.#messages[end]) && !(isOutlined && this.#begun.has(end))) end++;
    return end;
  }
}
