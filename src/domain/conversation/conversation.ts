import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { callPart, contentParts, firstText, parsedOrText, plainText, resultPart } from "./content-parts.js";
import { loopMessage } from "./loop-events.js";
import { type MessagePart, partText } from "./message-part.js";
import { isItem, itemParts, itemRole, replacementOf } from "./response-items.js";
import { entryMessage } from "./session-entries.js";
import { eventMessage } from "./session-events.js";
import { isStep, stepParts, stepRole } from "./trajectory-steps.js";

/** Where a message comes from, as far as its content shows. */
export type MessageOrigin = "user" | "assistant" | "tool" | "system" | "summary";

/** A message without what it says. */
export interface MessageOutline {
  readonly index: number;
  readonly origin: MessageOrigin;
  /** The vendor's id of the answer that the message is, or is a piece of. */
  readonly answerId: string | undefined;
  /** Whether it is a piece of an answer with the pieces in a row with it, although no id says so. */
  readonly isItem: boolean;
  /** Of a compaction: the messages in the place of all before it. Their indexes are fractions behind its own. */
  readonly replacement: readonly MessageOutline[] | undefined;
  /** The characters of all its parts. */
  readonly size: number;
  /** The results of tools that it holds, and how many characters of it each takes. */
  readonly results: readonly { readonly callId: string; readonly size: number }[];
}

/** A parsed message. */
export interface ReadMessage extends MessageOutline {
  readonly role: string;
  readonly parts: readonly MessagePart[];
  readonly replacement: readonly ReadMessage[] | undefined;
}

/** Compactions are read in what compactions left that lie in one another so deep. */
const DEEPEST_REPLACEMENT = 8;

export function readMessage(message: JsonObject, index: number): ReadMessage {
  return readWithin(message, index, 0);
}

/** The message that a record holds which is none by itself. */
function toldMessage(stored: JsonObject): JsonObject {
  return eventMessage(stored) ?? entryMessage(stored) ?? loopMessage(stored) ?? stored;
}

/** @param depth of the compactions that it was left by */
function readWithin(stored: JsonObject, index: number, depth: number): ReadMessage {
  const message = toldMessage(stored);
  const parts = messageParts(message);
  const role = messageRole(message);
  return {
    index,
    role,
    origin: originOf(message, role, parts),
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

/** How the summaries begin that known agents replace a conversation with. */
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

/** One entry of the conversation as people read it: a text, a thought, or a tool call with what came back. */
export interface ConversationEntry {
  readonly key: string;
  readonly messageIndex: number;
  readonly role: string;
  readonly origin: MessageOrigin;
  /** It is the first entry of its speaker, whose name is shown above it. */
  readonly opensSpeaker: boolean;
  readonly part: MessagePart;
  /** Of a call. */
  readonly result: Extract<MessagePart, { type: "result" }> | undefined;
}

/** Joins each result with its call. A result without its call is an entry of its own. */
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

/** The parts of a message. What no vendor's format explains stays as it is, as `other`. */
export function messageParts(stored: JsonObject): MessagePart[] {
  const message = toldMessage(stored);
  const item = itemParts(message);
  if (item !== undefined) return item;
  if (isStep(message)) return stepParts(message);
  const parts: MessagePart[] = [];
  const role = messageRole(message);
  // Where both are there, the content is the text of the parts once more.
  const content = Array.isArray(message.parts) ? message.parts : (message.content ?? message.parts);
  const resultOf = textField(message, "tool_call_id") ?? textField(message, "toolCallId");
  if (role === "tool" && resultOf !== undefined) return [resultPart(resultOf, content, message)];
  const reasoning = textField(message, "reasoning_content") ?? textField(message, "reasoning");
  if (reasoning !== undefined) parts.push({ type: "thinking", text: reasoning });
  if (Array.isArray(message.thoughts))
    for (const thought of message.thoughts) parts.push(thoughtPart(thought));
  if (typeof content === "string") {
    if (content !== "") parts.push({ type: "text", text: content });
  } else if (Array.isArray(content)) {
    for (const block of content) for (const part of contentParts(block)) parts.push(part);
  } else if (content !== undefined && content !== null) {
    parts.push({ type: "other", value: content });
  }
  if (Array.isArray(message.tool_calls))
    for (const call of message.tool_calls) parts.push(functionCall(call));
  if (Array.isArray(message.toolCalls))
    for (const call of message.toolCalls) for (const part of callAndResult(call)) parts.push(part);
  if (parts.length === 0 && (content === undefined || content === null))
    parts.push({ type: "other", value: message });
  return parts;
}

function messageRole(message: JsonObject): string {
  if (isStep(message)) return stepRole(message);
  const role = textField(message, "role") ?? itemRole(message) ?? textField(message, "type") ?? "unknown";
  return role === "gemini" ? "assistant" : role;
}

/** A summary of a thought: what it is about, and what it says. */
function thoughtPart(value: unknown): MessagePart {
  if (!isJsonObject(value)) return { type: "other", value };
  const words = ["subject", "description"].flatMap((name) => textField(value, name) ?? []);
  return { type: "thinking", text: words.join("\n\n") };
}

/** A call that holds its result, too. */
function callAndResult(value: unknown): MessagePart[] {
  if (!isJsonObject(value)) return [{ type: "other", value }];
  const begun = callPart(value, value.args);
  if (!Array.isArray(value.result)) return [begun];
  const texts = value.result.map((part) => {
    const { response } = objectField(isJsonObject(part) ? part : {}, "functionResponse");
    if (!isJsonObject(response)) return plainText(part);
    return plainText(response.output ?? response.error ?? response);
  });
  const isError = value.status !== "success";
  return [
    begun,
    { type: "result", callId: firstText(value, ["id"]), text: texts.join("\n"), images: [], isError },
  ];
}

function functionCall(value: unknown): MessagePart {
  if (!isJsonObject(value)) return { type: "other", value };
  // Inspect names the function where others have an object.
  if (typeof value.function === "string")
    return callPart({ ...value, name: value.function }, value.arguments);
  if (!isJsonObject(value.function)) return { type: "other", value };
  return {
    type: "call",
    callId: textField(value, "id") ?? "",
    name: textField(value.function, "name") ?? "",
    input: parsedOrText(value.function.arguments),
  };
}
