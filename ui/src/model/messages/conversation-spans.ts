import type { ConversationEntry, MessageOutline } from "../../../../src/domain/conversation/conversation.js";
import type { ConversationOutline } from "../../../../src/domain/conversation/conversation-outline.js";
import { isModelCall, tracedCall } from "../../../../src/domain/conversation/model-call-of.js";
import { type Span, walkSpans } from "../../../../src/domain/spans/span.js";

export interface NamedSpans {
  readonly turns: readonly Span[];
  /** By their own ids, and by the ids of their answers. */
  readonly answers: ReadonlyMap<string, Span>;
  readonly tools: ReadonlyMap<string, Span>;
}

export interface EntrySpans {
  /** By entry: its tool call, else the model call of its answer. */
  readonly rows: readonly (Span | undefined)[];
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

/** By message: the id of the model call, else of the answer. From a recorded answer on, items belong to it, up to a tool result. */
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

/** Matches shared ids. @param answeredBy by message, as of `answerIds` */
export function entrySpans(
  entries: readonly ConversationEntry[],
  answeredBy: readonly (string | undefined)[],
  { answers, tools }: NamedSpans,
): EntrySpans {
  const begun = new Map<number, Span>();
  const visited = new Set<Span>();
  const rows = entries.map(({ messageIndex, origin, part }, index) => {
    const callId = part.type === "call" || part.type === "result" ? part.callId : "";
    const answerId = answeredBy[messageIndex];
    const answer = origin === "assistant" && answerId !== undefined ? answers.get(answerId) : undefined;
    if (answer !== undefined && !visited.has(answer)) {
      visited.add(answer);
      begun.set(index, answer);
    }
    return (callId === "" ? undefined : tools.get(callId)) ?? answer;
  });
  return { rows, answers: begun };
}
