import { instantOf } from "../../domain/instant.js";
import {
  countField,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../domain/json.js";
import type { TokenUsage } from "../../domain/session.js";

/** What a message of type `user` is. */
export type UserMessageKind = "prompt" | "summary" | "other";

/** How texts begin that Gemini CLI puts in the user's name. */
const NOT_TYPED = [
  "This is the Gemini CLI. We are setting up the context",
  "<session_context>",
  "<hook_context>",
  "Here is the user's editor context",
  "Here is a summary of changes in the user's editor context",
  "[Function Response:",
];
const CONTINUE = new Set(["Please continue.", "System: Please continue."]);

/** The elements of a content: a text counts as one part. */
export function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ text: content }];
  if (isJsonObject(content)) return [content];
  return Array.isArray(content) ? content.filter((part) => part !== "") : [];
}

function partText(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  return isJsonObject(part) && part.thought !== true ? textField(part, "text") : undefined;
}

/** The texts of a content, without thoughts. */
export function textsOf(content: unknown): string[] {
  return partsOf(content).flatMap((part) => partText(part) ?? []);
}

/** What somebody typed; without it, what the model was given. */
export function promptText(record: JsonObject): string | undefined {
  return textsOf(record.displayContent)[0] ?? textsOf(record.content)[0];
}

export function userMessageKind(record: JsonObject): UserMessageKind {
  const parts = partsOf(record.content);
  const [text] = textsOf(record.content);
  if (text?.trimStart().startsWith("<state_snapshot>")) return "summary";
  const areResults =
    parts.length > 0 && parts.every((part) => isJsonObject(part) && isJsonObject(part.functionResponse));
  if (
    areResults ||
    (text !== undefined && (CONTINUE.has(text.trim()) || NOT_TYPED.some((start) => text.startsWith(start))))
  )
    return "other";
  return "prompt";
}

/** Thoughts, texts and other parts of a message, as the blocks of an event. */
export function blocksOf(record: JsonObject): readonly JsonObject[] {
  const thoughts = Array.isArray(record.thoughts) ? record.thoughts : [];
  return [...thoughts.map(thinkingOf), ...partsOf(record.content).map(blockOf)];
}

function thinkingOf(thought: unknown): JsonObject {
  if (!isJsonObject(thought)) return { type: "gemini-cli.thought", value: thought };
  const words = [textField(thought, "subject"), textField(thought, "description")];
  return { ...thought, type: "thinking", thinking: words.filter((text) => text !== undefined).join("\n\n") };
}

function blockOf(part: unknown): JsonObject {
  if (typeof part === "string") return { type: "text", text: part };
  if (!isJsonObject(part)) return { type: "gemini-cli.part", value: part };
  if (typeof part.text === "string") {
    const { text, thought, ...rest } = part;
    return thought === true ? { ...rest, type: "thinking", thinking: text } : { ...part, type: "text" };
  }
  return { ...part, type: `gemini-cli.${Object.keys(part)[0] ?? "part"}` };
}

/** The tool calls of a message. */
export function toolCallsOf(record: JsonObject): readonly JsonObject[] {
  return Array.isArray(record.toolCalls)
    ? record.toolCalls.map((call) => (isJsonObject(call) ? call : { value: call }))
    : [];
}

/** The id of a tool call; one that was stored without is named by its message or line. */
export function toolCallIdOf(call: JsonObject, at: number, record: JsonObject, line: number): string {
  return textField(call, "id") ?? `${textField(record, "id") ?? `line ${line}`}#${at}`;
}

const ENDED = new Set(["success", "error", "cancelled"]);

export function isEnded(call: JsonObject): boolean {
  return (
    ENDED.has(textField(call, "status") ?? "") || (call.status === undefined && Array.isArray(call.result))
  );
}

const BEGUN_AT = /_(\d{13})_\d+$/;

/**
 * When a tool call began and ended, in milliseconds since the epoch. The end is recorded, the beginning is in ids of one form alone:
 * else it is the end of the message. A call begins while the message still comes in, so it is no earlier than that.
 */
export function timesOf(call: JsonObject, message: number): { readonly begin: number; readonly end: number } {
  if (Number.isNaN(message)) return { begin: message, end: message };
  const end = Math.max(instantOf(call.timestamp) ?? message, message);
  const begun = BEGUN_AT.exec(textField(call, "id") ?? "")?.[1];
  const begin = Math.max(begun === undefined ? message : (instantOf(Number(begun)) ?? message), message);
  return { begin: Math.min(begin, end), end };
}

/**
 * What a tool gave. A single answer of the call's own, which most are, is the text in it.
 */
export function outputOf(call: JsonObject): unknown {
  const { result } = call;
  if (!Array.isArray(result) || result.length !== 1 || !isJsonObject(result[0])) return result;
  const [{ functionResponse, ...others }] = result as [JsonObject];
  if (!isJsonObject(functionResponse) || Object.keys(others).length > 0) return result;
  const { id, name, response, ...rest } = functionResponse;
  const isOwn = id === call.id && name === call.name && Object.keys(rest).length === 0;
  if (!isOwn || !isJsonObject(response)) return result;
  const [[member, text] = [], ...more] = Object.entries(response);
  const isText = (member === "output" || member === "error") && typeof text === "string" && more.length === 0;
  return isText ? text : result;
}

/** A message that the model was called for: another one holds calls that were cancelled while they waited, or was put in. */
export function isModelCall(record: JsonObject): boolean {
  if (isJsonObject(record.tokens)) return true;
  return textField(record, "model") !== undefined && textsOf(record.content).length > 0;
}

const COUNTS = ["input", "output", "cached", "thoughts", "tool"] as const;

/** `cached` is a part of `input`, `thoughts` are beside `output`; `tool` is what the tools' own prompts took. */
export function usageOf(record: JsonObject): TokenUsage {
  const tokens = objectField(record, "tokens");
  const [input, output, cached, thoughts, tool] = COUNTS.map((name) => countField(tokens, name)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const cacheReadTokens = Math.min(cached, input);
  return {
    inputTokens: input - cacheReadTokens + tool,
    outputTokens: output + thoughts,
    cacheReadTokens,
    cacheWriteTokens: 0,
  };
}

/** Whether a token count is none. */
export function hasOddUsage(record: JsonObject): boolean {
  const tokens = objectField(record, "tokens");
  return COUNTS.some((name) => isOddCount(tokens, name));
}
