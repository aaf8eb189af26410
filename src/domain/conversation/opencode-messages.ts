import { countField, isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { type TokenUsage, totalTokens } from "../usage/token-usage.js";

/**
 * Returns an OpenCode message in the shape of other vendors' messages, with the parts that the model receives; `undefined` for any other
 * record. Source: `packages/opencode/src/session/message-v2.ts` of https://github.com/anomalyco/opencode.
 */
export function openCodeMessage(
  stored: JsonObject,
): { readonly message: JsonObject; readonly origin: ReturnType<typeof originOf> } | undefined {
  const { type, sessionID, data, parts } = stored;
  if (type === undefined ? !Array.isArray(parts) : typeof sessionID !== "string" || !isJsonObject(data))
    return undefined;
  const summary = type === "compaction" ? summaryOf(stored) : undefined;
  if (summary !== undefined) return { message: { role: "user", content: summary }, origin: "summary" };
  const message = messageOf(stored);
  if (message === undefined) return undefined;
  const { role, id } = message.info;
  let tools = 0;
  const content = message.parts.flatMap((part) =>
    isTool(part) ? callAndResult(part, toolCallIdOf(part, tools++, id)) : sentParts(part),
  );
  return { message: { role, id, content }, origin: originOf(message) };
}

/** The summary in a compaction row of version 2. */
export function summaryOf(record: JsonObject): string | undefined {
  const data = objectField(record, "data");
  return textField(data, "summary") ?? textField(data, "text");
}

export function isTool({ type }: JsonObject): boolean {
  return type === "tool";
}

/** @param at index among the tools of the message */
export function toolCallIdOf(part: JsonObject, at: number, messageId: unknown): string {
  return textField(part, "callID") ?? `${messageId}#${at}`;
}

function originOf(message: OpenCodeMessage) {
  if (isSummary(message)) return "summary";
  if (message.info.role !== "assistant") return isPrompt(message) ? "user" : "system";
  return !isModelCall(message) && message.parts.some(isTool) ? "tool" : "assistant";
}

function callAndResult({ tool, state }: JsonObject, toolCallId: string): readonly JsonObject[] {
  const { status, input } = isJsonObject(state) ? state : {};
  const call = { type: "tool-call", toolCallId, toolName: tool, input };
  const isError = status === "error";
  if (status !== "completed" && !isError) return [call];
  return [call, { type: "tool-result", toolCallId, output: outputOf(state as JsonObject), isError }];
}

export function outputOf({ status, output, error }: JsonObject): unknown {
  return status === "error" || output === undefined ? (error ?? output) : output;
}

const UNSENT = new Set(["step-start", "step-finish", "snapshot", "patch", "agent", "retry"]);

/** OpenCode sends the texts of such files as parts. */
const AS_TEXT = new Set(["text/plain", "application/x-directory"]);

function sentParts(part: JsonObject): readonly JsonObject[] {
  if (part.ignored === true || UNSENT.has(String(part.type))) return [];
  if (part.type === "compaction") return [{ type: "text", text: "What did we do so far?" }];
  if (part.type === "subtask") return [{ type: "text", text: part.prompt }];
  if (part.type !== "file") return [part];
  return AS_TEXT.has(String(part.mime)) ? [] : [{ ...part, mediaType: part.mime }];
}

/** In the form of version 1; messages of version 2 are converted. */
export interface OpenCodeMessage {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
}

export function messageOf(record: JsonObject): OpenCodeMessage | undefined {
  if (typeof record.type === "string") return eventMessage(record.type, objectField(record, "data"), record);
  const info = objectField(record, "info");
  return typeof info.role === "string" ? { info, parts: objectsIn(record.parts) } : undefined;
}

/** Wraps an element that is no object as the `value` of one. */
export function objectsIn(values: unknown): readonly JsonObject[] {
  return Array.isArray(values) ? values.map((one) => (isJsonObject(one) ? one : { value: one })) : [];
}

function eventMessage(type: string, data: JsonObject, { id }: JsonObject): OpenCodeMessage | undefined {
  const { time } = data;
  switch (type) {
    case "user": {
      const files = objectsIn(data.files).map((file) => ({ ...file, type: "file" }));
      return { info: { id, role: "user", time }, parts: [{ type: "text", text: data.text }, ...files] };
    }
    case "synthetic":
    case "system":
    case "skill":
      return {
        info: { id, role: "user", time },
        parts: [{ type: "text", text: data.text, synthetic: true }],
      };
    case "assistant": {
      const { model, agent, cost, tokens, finish, error } = data;
      const { id: modelID, providerID } = isJsonObject(model) ? model : {};
      const info = { id, role: "assistant", time, agent, cost, tokens, finish, error, modelID, providerID };
      return { info, parts: objectsIn(data.content).map(contentPart) };
    }
    case "shell": {
      const { shellID, command, output, exit, status } = data;
      const text = isJsonObject(output) ? output.output : output;
      const state = {
        status: status === "running" ? status : "completed",
        input: { command },
        output: text,
        metadata: { exit },
        time: timeOf(time),
      };
      return {
        info: { id, role: "assistant", time },
        parts: [{ type: "tool", tool: "shell", callID: shellID, state }],
      };
    }
    default:
      return undefined;
  }
}

function timeOf(time: unknown): JsonObject {
  const { created, ran, completed } = isJsonObject(time) ? time : {};
  return { start: ran ?? created, end: completed };
}

function contentPart(part: JsonObject): JsonObject {
  if (part.type !== "tool") return { ...part, time: timeOf(part.time) };
  const { id, name, state, time } = part;
  const { content, ...rest } = isJsonObject(state) ? state : {};
  const texts = objectsIn(content).flatMap((one) => textField(one, "text") ?? []);
  const output = rest.output ?? (texts.length > 0 ? texts.join("\n") : content);
  return { type: "tool", callID: id, tool: name, state: { ...rest, output, time: timeOf(time) } };
}

/** OpenCode wrote other texts in the user's name. */
export function isTyped({ type, synthetic, ignored }: JsonObject): boolean {
  return type === "text" && synthetic !== true && ignored !== true;
}

export function typedText({ parts }: OpenCodeMessage): string | undefined {
  const texts = parts.filter(isTyped).flatMap((part) => textField(part, "text") ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}

export function isPrompt(message: OpenCodeMessage): boolean {
  if (compactionRequestIn(message) !== undefined) return false;
  const isPrompt = ({ type, synthetic }: JsonObject) =>
    (type === "file" && synthetic !== true) || type === "subtask";
  return typedText(message) !== undefined || message.parts.some(isPrompt);
}

export function compactionRequestIn({ parts }: OpenCodeMessage): JsonObject | undefined {
  return parts.find(({ type }) => type === "compaction");
}

export function isSummary({ info }: OpenCodeMessage): boolean {
  return info.summary === true && info.error === undefined && info.finish !== undefined;
}

/**
 * A command of the user looks like an answer, but has no start or end of a step, and no tokens. The same holds for a call that failed at
 * once.
 */
export function isModelCall({ info, parts }: OpenCodeMessage): boolean {
  if (info.role !== "assistant") return false;
  if (
    typeof info.finish === "string" ||
    parts.some(({ type }) => type === "step-start" || type === "step-finish")
  )
    return true;
  return totalTokens(usageOf(info)) > 0;
}

/** `input` excludes cached tokens, and `output` excludes reasoning. */
export function usageOf(info: JsonObject): TokenUsage {
  const tokens = objectField(info, "tokens");
  const cache = objectField(tokens, "cache");
  return {
    inputTokens: countField(tokens, "input"),
    outputTokens: countField(tokens, "output") + countField(tokens, "reasoning"),
    cacheReadTokens: countField(cache, "read"),
    cacheWriteTokens: countField(cache, "write"),
  };
}
