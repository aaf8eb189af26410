import { recordedCostOf } from "../../../domain/dialects/recorded-usage.js";
import {
  countField,
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { type TokenUsage, totalTokens } from "../../../domain/usage/token-usage.js";
import type { ToolOutcome } from "../../transcripts/recorder/parts.js";

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
  const isPrompt = ({ type, synthetic }: JsonObject) =>
    (type === "file" && synthetic !== true) || type === "subtask";
  return typedText(message) !== undefined || message.parts.some(isPrompt);
}

export function isCompactionRequest({ parts }: OpenCodeMessage): boolean {
  return parts.some(({ type }) => type === "compaction");
}

export function isSummary({ info }: OpenCodeMessage): boolean {
  return info.summary === true && info.error === undefined && info.finish !== undefined;
}

export function isAborted({ info }: OpenCodeMessage): boolean {
  return objectField(info, "error").name === "MessageAbortedError";
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

/** OpenCode stores 0 for a model without a price. */
export function recordedCost(info: JsonObject): number | undefined {
  const cost = recordedCostOf({ cost: info.cost });
  return cost === 0 && totalTokens(usageOf(info)) > 0 ? undefined : cost;
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

export function hasOddUsage(info: JsonObject): boolean {
  const tokens = objectField(info, "tokens");
  const cache = objectField(tokens, "cache");
  return (
    ["input", "output", "reasoning"].some((name) => isOddCount(tokens, name)) ||
    ["read", "write"].some((name) => isOddCount(cache, name))
  );
}

/** In milliseconds since the epoch. */
export interface Times {
  readonly begin: number | undefined;
  readonly end: number | undefined;
}

export function timesOf(part: JsonObject): Times {
  const time = objectField(part.type === "tool" ? objectField(part, "state") : part, "time");
  const [begin, end] = [instantOf(time.start), instantOf(time.end)];
  return { begin, end: end !== undefined && begin !== undefined ? Math.max(begin, end) : end };
}

/** The message is only complete when its tools are. */
export function answeredAt({ info, parts }: OpenCodeMessage): number | undefined {
  const streamed = instantOf(objectField(info, "time").streamed);
  if (streamed !== undefined) return streamed;
  const times = parts.map((part) => (part.type === "tool" ? timesOf(part).begin : timesOf(part).end));
  const recorded = times.filter((instant) => instant !== undefined);
  return recorded.length > 0
    ? recorded.reduce((a, b) => Math.max(a, b))
    : instantOf(objectField(info, "time").completed);
}

/** `undefined` for a running call. */
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

/** A fork copies messages under other ids, with their old times. */
export function copyKey(record: JsonObject): string | undefined {
  const message = messageOf(record);
  if (message === undefined) return undefined;
  const { created, completed } = objectField(message.info, "time");
  return typeof created === "number"
    ? `${String(message.info.role)} ${created} ${String(completed)}`
    : undefined;
}
