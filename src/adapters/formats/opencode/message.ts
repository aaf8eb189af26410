import {
  countField,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { TokenUsage } from "../../../domain/usage/token-usage.js";
import type { ToolOutcome } from "../../transcripts/parts.js";

/** A message with its parts, as version 1 stores them: version 2's are read as the same. */
export interface OpenCodeMessage {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
}

/** The message that a record is; `undefined` for one that says something else. */
export function messageOf(record: JsonObject): OpenCodeMessage | undefined {
  if (typeof record.type === "string") return eventMessage(record.type, objectField(record, "data"), record);
  const info = objectField(record, "info");
  return typeof info.role === "string" ? { info, parts: objectsIn(record.parts) } : undefined;
}

/** Returns the elements of a list; an element that is not an object is wrapped as the `value` of one. */
export function objectsIn(values: unknown): readonly JsonObject[] {
  return Array.isArray(values) ? values.map((one) => (isJsonObject(one) ? one : { value: one })) : [];
}

/** A row of version 2, where it is a message of somebody. */
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

/** A part of an answer of version 2 as one of version 1. */
function contentPart(part: JsonObject): JsonObject {
  if (part.type !== "tool") return { ...part, time: timeOf(part.time) };
  const { id, name, state, time } = part;
  const { content, ...rest } = isJsonObject(state) ? state : {};
  const texts = objectsIn(content).flatMap((one) => textField(one, "text") ?? []);
  const output = rest.output ?? (texts.length > 0 ? texts.join("\n") : content);
  return { type: "tool", callID: id, tool: name, state: { ...rest, output, time: timeOf(time) } };
}

/** True if a part is text that somebody typed; OpenCode wrote other texts in their name. */
export function isTyped({ type, synthetic, ignored }: JsonObject): boolean {
  return type === "text" && synthetic !== true && ignored !== true;
}

export function typedText({ parts }: OpenCodeMessage): string | undefined {
  const texts = parts.filter(isTyped).flatMap((part) => textField(part, "text") ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** True if somebody prompted: by text, a file, or a command that a sub-agent runs. */
export function isPrompt(message: OpenCodeMessage): boolean {
  const isAsked = ({ type, synthetic }: JsonObject) =>
    (type === "file" && synthetic !== true) || type === "subtask";
  return typedText(message) !== undefined || message.parts.some(isAsked);
}

export function isCompactionRequest({ parts }: OpenCodeMessage): boolean {
  return parts.some(({ type }) => type === "compaction");
}

/** The context was summed up: not where that failed. */
export function isSummary({ info }: OpenCodeMessage): boolean {
  return info.summary === true && info.error === undefined && info.finish !== undefined;
}

/** Stopped by a person. */
export function isAborted({ info }: OpenCodeMessage): boolean {
  return objectField(info, "error").name === "MessageAbortedError";
}

/**
 * True if the model was called and answered. A command that the user ran looks like an answer, but has neither a start nor an end of a
 * step, and no tokens; the same holds for a call that failed at once.
 */
export function isModelCall({ info, parts }: OpenCodeMessage): boolean {
  if (info.role !== "assistant") return false;
  if (
    typeof info.finish === "string" ||
    parts.some(({ type }) => type === "step-start" || type === "step-finish")
  )
    return true;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usageOf(info);
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens > 0;
}

/** Cached tokens are not part of `input`, and reasoning is not part of `output`. */
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

export function hasOddUsage(info: JsonObject): boolean {
  const tokens = objectField(info, "tokens");
  const cache = objectField(tokens, "cache");
  return (
    ["input", "output", "reasoning"].some((name) => isOddCount(tokens, name)) ||
    ["read", "write"].some((name) => isOddCount(cache, name))
  );
}

/** When a part of an answer began and ended, in milliseconds since the epoch. */
export interface Times {
  readonly begin: number | undefined;
  readonly end: number | undefined;
}

export function timesOf(part: JsonObject): Times {
  const time = objectField(part.type === "tool" ? objectField(part, "state") : part, "time");
  return { begin: instantOf(time.start), end: instantOf(time.end) };
}

/** Returns the end of the model's output: its message is only complete when its tools are. */
export function answeredAt({ info, parts }: OpenCodeMessage): number | undefined {
  const streamed = instantOf(objectField(info, "time").streamed);
  if (streamed !== undefined) return streamed;
  const said = parts.map((part) => (part.type === "tool" ? timesOf(part).begin : timesOf(part).end));
  const known = said.filter((instant) => instant !== undefined);
  return known.length > 0
    ? known.reduce((a, b) => Math.max(a, b))
    : instantOf(objectField(info, "time").completed);
}

/** Returns the outcome of a tool call; `undefined` while it is running. */
export function outcomeOf(part: JsonObject, isStopped: boolean): ToolOutcome | undefined {
  const state = objectField(part, "state");
  if (state.status === "completed") {
    const isCutOff =
      isStopped && typeof state.output === "string" && state.output.includes("User aborted the command");
    return isCutOff ? "refused" : "completed";
  }
  if (state.status !== "error") return undefined;
  const reason = String(labelOfError(state.error) ?? "");
  return /^(The user rejected permission|Tool execution aborted|The user dismissed)/.test(reason)
    ? "refused"
    : "failed";
}

/** Returns the text of an error: a text, or an object that contains one. */
export function labelOfError(error: unknown): string | undefined {
  if (typeof error === "string") return error;
  if (!isJsonObject(error)) return undefined;
  return (
    textField(objectField(error, "data"), "message") ??
    textField(error, "message") ??
    textField(error, "name") ??
    textField(error, "type")
  );
}

/** Two messages with the same name are copies: a fork copies them under other ids, with their old times. */
export function copyKey(record: JsonObject): string | undefined {
  const message = messageOf(record);
  if (message === undefined) return undefined;
  const { created, completed } = objectField(message.info, "time");
  return typeof created === "number"
    ? `${String(message.info.role)} ${created} ${String(completed)}`
    : undefined;
}
