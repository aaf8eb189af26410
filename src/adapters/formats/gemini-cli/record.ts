import { isDeepStrictEqual } from "node:util";
import {
  countField,
  cutDeep,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { TokenUsage } from "../../../domain/usage/token-usage.js";
import type { ToolOutcome } from "../../transcripts/parts.js";

/** The member of a session's object that holds its messages. */
export const MESSAGES = "messages";

/** Beginnings of texts that Gemini CLI writes in the user's name. */
const NOT_TYPED = [
  "This is the Gemini CLI. We are setting up the context",
  "<session_context>",
  "<hook_context>",
  "Here is the user's editor context",
  "Here is a summary of changes in the user's editor context",
  "[Function Response:",
];
const CONTINUE = new Set(["Please continue.", "System: Please continue."]);

/** The parts of a content, which may be one, or a text. */
export function partsOf(content: unknown): readonly unknown[] {
  const parts = Array.isArray(content) ? content : [content ?? ""].filter((part) => part !== "");
  return parts.map((part) => (typeof part === "string" ? { text: part } : part));
}

/** The texts of a content, without thoughts. */
export function textsOf(content: unknown): string[] {
  const said = partsOf(content).filter((part) => isJsonObject(part) && part.thought !== true) as JsonObject[];
  return said.flatMap((part) => textField(part, "text") ?? []);
}

/** Returns the text that somebody typed; without it, the input of the model. */
export function promptText(record: JsonObject): string | undefined {
  return textsOf(record.displayContent)[0] ?? textsOf(record.content)[0];
}

/** Returns the kind of a message of type `user`. */
export function userMessageKind(record: JsonObject): "prompt" | "summary" | "other" {
  const parts = partsOf(record.content);
  const [text = ""] = textsOf(record.content);
  if (text.trimStart().startsWith("<state_snapshot>")) return "summary";
  const isResult = (part: unknown) => isJsonObject(part) && isJsonObject(part.functionResponse);
  if (parts.length > 0 && parts.every(isResult)) return "other";
  const isOwn = CONTINUE.has(text.trim()) || NOT_TYPED.some((start) => text.startsWith(start));
  return isOwn ? "other" : "prompt";
}

/** True if the user stopped the current work. */
export function isCancellation(record: JsonObject): boolean {
  return record.type === "info" && textsOf(record.content)[0]?.startsWith("Request cancelled") === true;
}

export function thinkingOf(thought: unknown): JsonObject {
  if (!isJsonObject(thought)) return { type: "gemini-cli.thought", value: thought };
  const words = ["subject", "description"].flatMap((name) => textField(thought, name) ?? []);
  return { ...thought, type: "thinking", thinking: words.join("\n\n") };
}

export function blockOf(part: unknown): JsonObject {
  if (!isJsonObject(part)) return { type: "gemini-cli.part", value: part };
  const { text, thought, ...rest } = part;
  if (typeof text !== "string") return { ...part, type: `gemini-cli.${Object.keys(part)[0] ?? "part"}` };
  return thought === true ? { ...rest, type: "thinking", thinking: text } : { ...part, type: "text" };
}

export function toolCallsOf(record: JsonObject): readonly JsonObject[] {
  return Array.isArray(record.toolCalls)
    ? record.toolCalls.map((call) => (isJsonObject(call) ? call : { value: call }))
    : [];
}

/** The id of a tool call; one that was stored without is named by its message or line. */
export function toolCallIdOf(call: JsonObject, at: number, record: JsonObject, line: number): string {
  return textField(call, "id") ?? `${textField(record, "id") ?? `line ${line}`}#${at}`;
}

/** Returns the outcome of a tool call. It is `cancelled` if a person did not allow it, or stopped it. */
export function outcomeOf({ status }: JsonObject): ToolOutcome {
  if (status === "cancelled") return "refused";
  return status === "error" ? "failed" : "completed";
}

export function isEnded({ status, result }: JsonObject): boolean {
  if (status === undefined) return Array.isArray(result);
  return status === "success" || status === "error" || status === "cancelled";
}

/** In milliseconds since the epoch. */
export interface CallTimes {
  readonly begin: number;
  readonly end: number;
}

const BEGUN_AT = /_(\d{13})_\d+$/;

/**
 * Returns the start and the end of a tool call, in milliseconds since the epoch. The end is recorded; the start is only in ids of one
 * form. Otherwise it is the end of the message. A call begins while the message still arrives, so it is no earlier than that.
 */
export function timesOf(call: JsonObject, message: number): CallTimes {
  if (Number.isNaN(message)) return { begin: message, end: message };
  const end = Math.max(instantOf(call.timestamp) ?? message, message);
  const begun = BEGUN_AT.exec(textField(call, "id") ?? "")?.[1];
  const begin = Math.max(begun === undefined ? message : (instantOf(Number(begun)) ?? message), message);
  return { begin: Math.min(begin, end), end };
}

/** Returns the output of a tool: only its text if it contains nothing else. */
export function outputOf({ id, name, result }: JsonObject): unknown {
  const [first] = Array.isArray(result) ? result : [];
  const response = isJsonObject(first) ? objectField(objectField(first, "functionResponse"), "response") : {};
  const text = response.output ?? response.error;
  // The platform compares by calling itself for each level.
  const own = cutDeep({ id, name }) as JsonObject;
  const isAll = (member: string) =>
    isDeepStrictEqual(result, [{ functionResponse: { ...own, response: { [member]: text } } }]);
  return typeof text === "string" && (isAll("output") || isAll("error")) ? text : result;
}

/** A message that the model was called for: another one holds calls that were cancelled while they waited, or was put in. */
export function isModelCall(record: JsonObject): boolean {
  if (isJsonObject(record.tokens)) return true;
  return textField(record, "model") !== undefined && textsOf(record.content).length > 0;
}

const COUNTS = ["input", "output", "cached", "thoughts", "tool"];

/** `cached` is a part of `input`, `thoughts` are beside `output`; `tool` is what the tools' own prompts took. */
export function usageOf(record: JsonObject): TokenUsage {
  const tokens = objectField(record, "tokens");
  const count = (name: string) => countField(tokens, name);
  const cacheReadTokens = Math.min(count("cached"), count("input"));
  const inputTokens = count("input") - cacheReadTokens + count("tool");
  const outputTokens = count("output") + count("thoughts");
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0 };
}

/** True if a token count is invalid. */
export function hasOddUsage(record: JsonObject): boolean {
  return COUNTS.some((name) => isOddCount(objectField(record, "tokens"), name));
}
