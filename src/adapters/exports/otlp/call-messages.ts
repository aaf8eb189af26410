import { matchCalls } from "../../../domain/conversation/call-matches.js";
import { contextCalls } from "../../../domain/conversation/context-calls.js";
import type { MessageOutline } from "../../../domain/conversation/conversation.js";
import type { ConversationOutline, MessageRun } from "../../../domain/conversation/conversation-outline.js";
import { tracedCall } from "../../../domain/conversation/model-call-of.js";
import type { PlannedSpan } from "./planned-spans.js";

/** A session's own conversation, or that of a sub-agent. */
export interface ConversationRecords {
  /** Messages as stored lines, in order: see `messageIn`. */
  readonly lines: string[];
  readonly messages: MessageOutline[];
  outline: ConversationOutline | undefined;
}

/** Each message belongs to exactly one call. */
interface AddedMessages {
  readonly input: MessageRun;
  readonly output: MessageRun;
}

export interface SpreadConversation {
  readonly records: ConversationRecords;
  readonly byCall: ReadonlyMap<PlannedSpan, AddedMessages>;
  /** Messages after the last call. */
  readonly rest: MessageRun;
}

/** @param calls in trace order */
export function spreadConversation(
  records: ConversationRecords,
  calls: readonly PlannedSpan[],
): SpreadConversation {
  const { messages, outline } = records;
  const traced = calls.map((planned) => ({ ...tracedCall(planned.span!), planned }));
  const { matches: existing } = matchCalls(contextCalls(messages, outline), traced);
  const byCall = new Map<PlannedSpan, AddedMessages>();
  let next = 0;
  for (const { call, traced: span } of existing) {
    if (call === undefined || span === undefined) continue;
    const to = Math.max(next, call.to);
    const end = Math.max(to, call.answerEnd);
    byCall.set(span.planned, { input: [next, to], output: [to, end] });
    next = end;
  }
  return { records, byCall, rest: [next, messages.length] };
}
