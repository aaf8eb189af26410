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

/** One model call of the main agent, and the part of the history that it saw. */
export interface ContextCall {
  /** Counted from 0. */
  readonly index: number;
  /** The context is the messages of these runs up to, but without, `to`. The same array for calls between which nothing was taken away. */
  readonly visible: readonly MessageRun[];
  readonly to: number;
  /** The tool calls whose results the call does not see. */
  readonly cleared: ReadonlySet<string>;
  /** The messages of the answer end before this one: at `to` for a call that has none. */
  readonly answerEnd: number;
  readonly answerId: string | undefined;
  /** True if the messages of the request are recorded. */
  readonly isRecorded: boolean;
  /** Parts that were removed since the previous call. */
  readonly removals: readonly ContextRemoval[];
}

/** True if the context was compacted since the previous call. */
export function isCompacted({ removals }: Pick<ContextCall, "removals">): boolean {
  return removals.some(isCompaction);
}

/** System messages at the head of the history: every call sees them, also after a compaction. */
function leadingSystemMessages(messages: readonly MessageOutline[]): number {
  const first = messages.findIndex(({ origin }) => origin !== "system");
  return first === -1 ? messages.length : first;
}

/**
 * The model calls that a history shows, and what each of them saw: what lies before its answer and was not taken away.
 *
 * An answer may be several messages in a row: those that share an id, or, without ids, each on its own. Without an outline, what lies
 * before the last compaction's summary was taken away, but for the system messages at the head of the history.
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
  /** The calls of the outline, by how many messages lie before them. */
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
      // Of several attempts in one place the last one was answered.
      const unanswered = isAnswer ? begun.slice(0, -1) : begun;
      for (const one of unanswered) this.#add(at, at, one.callId, one.isRecorded);
      if (!isAnswer) continue;
      const end = this.#answerEnd(at);
      const last = this.#calls.at(-1);
      const { answerId } = this.#messages[at]!;
      const call = begun.at(-1);
      // Some writers store a tool's result between two pieces of one answer; the pieces are still one call.
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
