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
import type { ToolOutcome } from "../../transcripts/recorder/parts.js";

export const MESSAGES = "messages";

const NOT_TYPED = [
  "This is the Gemini CLI. We are setting up the context",
  "<session_context>",
  "<hook_context>",
  "Here is the user's editor context",
  "Here is a summary of changes in the user's editor context",
  "[Function Response:",
];
const CONTINUE = new Set(["Please continue.", "System: Please continue."]);

export function partsOf(content: unknown): readonly unknown[] {
  const parts = Array.isArray(content) ? content : [content ?? ""].filter((part) => part !== "");
  return parts.map((part) => (typeof part === "string" ? { text: part } : part));
}

export function textsOf(content: unknown): string[] {
  const spoken = partsOf(content).filter(
    (part) => isJsonObject(part) && part.thought !== true,
  ) as JsonObject[];
  return spoken.flatMap((part) => textField(part, "text") ?? []);
}

/** The typed text, otherwise the model's input. */
export function promptText(record: JsonObject): string | undefined {
  return textsOf(record.displayContent)[0] ?? textsOf(record.content)[0];
}

export function userMessageKind(record: JsonObject): "prompt" | "summary" | "other" {
  const parts = partsOf(record.content);
  const [text = ""] = textsOf(record.content);
  if (text.trimStart().startsWith("<state_snapshot>")) return "summary";
  const isResult = (part: unknown) => isJsonObject(part) && isJsonObject(part.functionResponse);
  if (parts.length > 0 && parts.every(isResult)) return "other";
  const isOwn = CONTINUE.has(text.trim()) || NOT_TYPED.some((start) => text.startsWith(start));
  return isOwn ? "other" : "prompt";
}

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

export function toolCallIdOf(call: JsonObject, at: number, record: JsonObject, line: number): string {
  return textField(call, "id") ?? `${textField(record, "id") ?? `line ${line}`}#${at}`;
}

/** `cancelled`: a person refused or stopped it. */
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
 * In milliseconds since the epoch. Only ids of one form contain the start; otherwise the end of the message is used. A call begins while
 * its message arrives, so no earlier than that.
 */
export function timesOf(call: JsonObject, message: number): CallTimes {
  if (Number.isNaN(message)) return { begin: message, end: message };
  const end = Math.max(instantOf(call.timestamp) ?? message, message);
  const begun = BEGUN_AT.exec(textField(call, "id") ?? "")?.[1];
  const begin = Math.max(begun === undefined ? message : (instantOf(Number(begun)) ?? message), message);
  return { begin: Math.min(begin, end), end };
}

export function outputOf({ id, name, result }: JsonObject): unknown {
  const [first] = Array.isArray(result) ? result : [];
  const response = isJsonObject(first) ? objectField(objectField(first, "functionResponse"), "response") : {};
  const text = response.output ?? response.error;
  // The platform's comparison recurses per level.
  const own = cutDeep({ id, name }) as JsonObject;
  const isAll = (member: string) =>
    isDeepStrictEqual(result, [{ functionResponse: { ...own, response: { [member]: text } } }]);
  return typeof text === "string" && (isAll("output") || isAll("error")) ? text : result;
}

/** Other messages hold calls that were cancelled while they waited, or were inserted. */
export function isModelCall(record: JsonObject): boolean {
  if (isJsonObject(record.tokens)) return true;
  return textField(record, "model") !== undefined && textsOf(record.content).length > 0;
}

const COUNTS = ["input", "output", "cached", "thoughts", "tool"];

/** `input` contains `cached`; `thoughts` are beside `output`; `tool` counts the tools' own prompts. */
export function usageOf(record: JsonObject): TokenUsage {
  const tokens = objectField(record, "tokens");
  const count = (name: string) => countField(tokens, name);
  const cacheReadTokens = Math.min(count("cached"), count("input"));
  const inputTokens = count("input") - cacheReadTokens + count("tool");
  const outputTokens = count("output") + count("thoughts");
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0 };
}

export function hasOddUsage(record: JsonObject): boolean {
  return COUNTS.some((name) => isOddCount(objectField(record, "tokens"), name));
}
