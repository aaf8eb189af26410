import { type JsonObject, textField } from "../json/json.js";
import { loopMessage } from "./loop-events.js";
import { type MessagePart, partText } from "./message-part.js";
import { openCodeMessage } from "./opencode-messages.js";
import { isItem, replacementOf } from "./response-items.js";
import { entryMessage } from "./session-entries.js";
import { eventMessage } from "./session-events.js";
import { isStep, stepParts, stepRole } from "./trajectory-steps.js";
import { vendorParts, vendorRole } from "./vendor-messages.js";

export type MessageOrigin = "user" | "assistant" | "tool" | "system" | "summary";

export interface MessageOutline {
  readonly index: number;
  readonly origin: MessageOrigin;
  /** Of the answer that the message is, or is a piece of. */
  readonly answerId: string | undefined;
  /** True for a piece of an answer that shares no id with the other pieces. */
  readonly isItem: boolean;
  /** For a compaction: messages that replace all earlier ones. Their indexes are fractions after its own. */
  readonly replacement: readonly MessageOutline[] | undefined;
  readonly size: number;
  readonly results: readonly { readonly callId: string; readonly size: number }[];
}

export interface ReadMessage extends MessageOutline {
  readonly role: string;
  readonly parts: readonly MessagePart[];
  readonly replacement: readonly ReadMessage[] | undefined;
}

const DEEPEST_REPLACEMENT = 8;

export function readMessage(message: JsonObject, index: number): ReadMessage {
  return readWithin(message, index, 0);
}

function messageOf(stored: JsonObject): JsonObject {
  return eventMessage(stored) ?? entryMessage(stored) ?? loopMessage(stored) ?? stored;
}

/** @param depth number of compactions around it */
function readWithin(stored: JsonObject, index: number, depth: number): ReadMessage {
  const own = openCodeMessage(stored);
  const message = own?.message ?? messageOf(stored);
  const parts = messageParts(message);
  const role = messageRole(message);
  return {
    index,
    role,
    origin: own?.origin ?? originOf(message, role, parts),
    answerId: role === "assistant" && !isItem(message) ? textField(message, "id") : undefined,
    isItem: isItem(message),
    replacement:
      depth === DEEPEST_REPLACEMENT
        ? undefined
        : replacementOf(message)?.map((one, at, all) =>
            readWithin(one, index + (at + 1) / (all.length + 1), depth + 1),
          ),
    parts,
    size: parts.reduce((size, part) => size + partText(part).length, 0),
    results: resultsIn(parts),
  };
}

const NO_RESULTS: MessageOutline["results"] = [];

function resultsIn(parts: readonly MessagePart[]): MessageOutline["results"] {
  if (!parts.some(({ type }) => type === "result")) return NO_RESULTS;
  return parts.flatMap((part) =>
    part.type === "result" ? [{ callId: part.callId, size: part.text.length }] : [],
  );
}

/** Some writers store an answer with the results of its calls, which the tools supplied. */
export function answerAndResults(message: ReadMessage): readonly ReadMessage[] {
  const { origin, parts, results } = message;
  if (origin !== "assistant" || results.length === 0) return [message];
  return [
    { ...message, parts: parts.filter(({ type }) => type !== "result"), results: NO_RESULTS },
    { ...message, parts: parts.filter(({ type }) => type === "result"), origin: "tool" },
  ];
}

/** Beginnings of summaries that replace a conversation, by agent. */
const SUMMARY_OPENINGS = [
  "This session is being continued from a previous conversation",
  "[compaction summary]",
  "<compaction_summary>",
  "<summary>",
  "<state_snapshot>",
  "# Conversation summary",
  "Summary of the conversation so far",
  "[Summary of the conversation so far]",
];

function originOf(message: JsonObject, role: string, parts: readonly MessagePart[]): MessageOrigin {
  if (
    message.isCompactSummary === true ||
    message.compaction === true ||
    message.kind === "compaction_summary" ||
    replacementOf(message) !== undefined
  ) {
    return "summary";
  }
  if (role === "assistant" || role === "model") return "assistant";
  if (role === "tool" || parts.some((part) => part.type === "result")) return "tool";
  const [opening] = parts;
  if (opening?.type === "text" && SUMMARY_OPENINGS.some((words) => opening.text.startsWith(words)))
    return "summary";
  return role === "system" || role === "developer" ? "system" : "user";
}

export interface ConversationEntry {
  readonly key: string;
  readonly messageIndex: number;
  readonly role: string;
  readonly origin: MessageOrigin;
  readonly opensSpeaker: boolean;
  readonly part: MessagePart;
  readonly result: Extract<MessagePart, { type: "result" }> | undefined;
}

/** A result without a call is a separate entry. */
export function conversationEntries(messages: readonly ReadMessage[]): ConversationEntry[] {
  const results = new Map<string, Extract<MessagePart, { type: "result" }>>();
  const calls = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === "result" && part.callId !== "") results.set(part.callId, part);
      if (part.type === "call" && part.callId !== "") calls.add(part.callId);
    }
  }
  const entries: ConversationEntry[] = [];
  let speaker = "";
  for (const { index, role, origin, parts } of messages) {
    for (const [position, part] of parts.entries()) {
      if (part.type === "result" && calls.has(part.callId)) continue;
      if ((part.type === "text" || part.type === "thinking") && part.text.trim() === "") continue;
      const speaks = origin === "tool" ? "assistant" : origin;
      entries.push({
        key: `${index}.${position}`,
        messageIndex: index,
        role,
        origin,
        opensSpeaker: speaks !== speaker,
        part,
        result: part.type === "call" ? results.get(part.callId) : undefined,
      });
      speaker = speaks;
    }
  }
  return entries;
}

/** Accepts the message format of any tool or API. Unrecognised parts become `other`. */
export function messageParts(stored: JsonObject): MessagePart[] {
  const message = messageOf(stored);
  return isStep(message) ? stepParts(message) : vendorParts(message);
}

function messageRole(message: JsonObject): string {
  return isStep(message) ? stepRole(message) : vendorRole(message);
}
