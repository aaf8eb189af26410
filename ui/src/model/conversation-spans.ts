import type { ConversationEntry, MessageOutline } from "../../../src/domain/conversation/conversation.js";
import type { ConversationOutline } from "../../../src/domain/conversation/conversation-outline.js";
import { isModelCall, tracedCall } from "../../../src/domain/conversation/model-call-of.js";
import { type Span, walkSpans } from "../../../src/domain/spans/span.js";

/** The spans of one agent that a conversation can name. */
export interface NamedSpans {
  /** In the order of the trace. */
  readonly turns: readonly Span[];
  /** Model calls, by their own ids and by those of their answers. */
  readonly answers: ReadonlyMap<string, Span>;
  /** Tool calls, by the vendor's ids. */
  readonly tools: ReadonlyMap<string, Span>;
}

/** Facts of the trace about the entries of a conversation. */
export interface EntrySpans {
  /** By entry: the tool call that it shows, else the model call whose answer it is a part of. */
  readonly shown: readonly (Span | undefined)[];
  /** By entry: the model call whose answer begins with it. */
  readonly answers: ReadonlyMap<number, Span>;
}

/** @param agentId `""` is the main agent */
export function namedSpans(roots: readonly Span[], agentId: string): NamedSpans {
  const turns: Span[] = [];
  const answers = new Map<string, Span>();
  const tools = new Map<string, Span>();
  walkSpans(roots, (span) => {
    if (span.agentId !== agentId) return;
    const { kind, start } = span;
    if (kind === "turn" && start.phase !== "point") turns.push(span);
    if (kind === "tool" && start.key !== undefined) tools.set(start.key, span);
    if (!isModelCall(span)) return;
    for (const id of [start.key, tracedCall(span).messageId]) if (id !== undefined) answers.set(id, span);
  });
  return { turns: turns.sort((a, b) => a.start.index - b.start.index), answers, tools };
}

/**
 * By message: the id of the model call that it is the answer of, or a piece of, else that of the answer. Where the history says that a call
 * was answered, the items from there on are its answer, up to what a tool gave back.
 */
export function answerIds(
  messages: readonly MessageOutline[],
  outline: ConversationOutline | undefined,
): readonly (string | undefined)[] {
  const outlined = new Map(outline?.calls.map(({ at, callId }) => [at, callId]));
  let answered: string | undefined;
  return messages.map(({ origin, isItem, answerId }, index) => {
    if (origin !== "assistant") answered = undefined;
    else answered = outlined.get(index) ?? (isItem ? answered : undefined);
    return answered ?? answerId;
  });
}

/** Finds the entries of a conversation in the trace by the ids that both know. @param answeredBy by message, as of `answerIds` */
export function entrySpans(
  entries: readonly ConversationEntry[],
  answeredBy: readonly (string | undefined)[],
  { answers, tools }: NamedSpans,
): EntrySpans {
  const begun = new Map<number, Span>();
  const seen = new Set<Span>();
  const shown = entries.map(({ messageIndex, origin, part }, index) => {
    const callId = part.type === "call" || part.type === "result" ? part.callId : "";
    const answerId = answeredBy[messageIndex];
    const answer = origin === "assistant" && answerId !== undefined ? answers.get(answerId) : undefined;
    if (answer !== undefined && !seen.has(answer)) {
      seen.add(answer);
      begun.set(index, answer);
    }
    return (callId === "" ? undefined : tools.get(callId)) ?? answer;
  });
  return { shown, answers: begun };
}
