import { withoutParts } from "../../domain/conversation/call-context.js";
import { contextCalls } from "../../domain/conversation/context-calls.js";
import { type ReadMessage, readMessage } from "../../domain/conversation/conversation.js";
import type { MessageRun } from "../../domain/conversation/conversation-outline.js";
import { knownCalls, type TracedCall } from "../../domain/conversation/known-calls.js";
import { recordIn } from "../../domain/json/json.js";
import type { PlannedSpan } from "./planned-spans.js";
import type { ConversationRecords } from "./session-on-hand.js";

/** The messages of a conversation that a call added to it: each is added by one. */
export interface AddedMessages {
  /** What it was given that is new. */
  readonly input: MessageRun;
  readonly output: MessageRun;
}

export interface SpreadConversation {
  readonly records: ConversationRecords;
  readonly byCall: ReadonlyMap<PlannedSpan, AddedMessages>;
  /** What is behind the last call. */
  readonly rest: MessageRun;
}

const MESSAGES_PER_PAUSE = 128;

/**
 * Spreads a conversation over the model calls of its agent.
 *
 * @param calls in the order of the trace
 */
export function* spreadConversation(
  records: ConversationRecords,
  calls: readonly PlannedSpan[],
): Generator<void, SpreadConversation> {
  const messages: ReadMessage[] = [];
  for (const [index, text] of records.texts.entries()) {
    messages.push(withoutParts(readMessage(recordIn(text), index)));
    if (index % MESSAGES_PER_PAUSE === MESSAGES_PER_PAUSE - 1) yield;
  }
  const traced = calls.map((planned) => ({ ...tracedCall(planned), planned }));
  const { known } = knownCalls(contextCalls(messages, records.outline), traced, () => false);
  const byCall = new Map<PlannedSpan, AddedMessages>();
  let next = 0;
  for (const { call, traced: found } of known) {
    if (call === undefined || found === undefined) continue;
    const to = Math.max(next, call.to);
    const end = Math.max(to, call.answerEnd);
    byCall.set(found.planned, { input: [next, to], output: [to, end] });
    next = end;
  }
  return { records, byCall, rest: [next, messages.length] };
}

function tracedCall({ span }: PlannedSpan): TracedCall {
  const { id: spanId, start, end } = span!;
  const messageId = end?.messageId ?? start.messageId ?? start.key;
  return { spanId, at: start.at, tokens: undefined, messageId };
}
