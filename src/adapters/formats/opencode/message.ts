import { messageOf, type OpenCodeMessage, usageOf } from "../../../domain/conversation/opencode-messages.js";
import { recordedCostOf } from "../../../domain/dialects/recorded-usage.js";
import {
  isJsonObject,
  isOddCount,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { totalTokens } from "../../../domain/usage/token-usage.js";
import type { ToolOutcome } from "../../transcripts/recorder/parts.js";

export function isAborted({ info }: OpenCodeMessage): boolean {
  return objectField(info, "error").name === "MessageAbortedError";
}

export function isUnsent(message: OpenCodeMessage): boolean {
  const { info, parts } = message;
  const hasContent = parts.some(({ type }) => type !== "step-start" && type !== "reasoning");
  return isJsonObject(info.error) && !(isAborted(message) && hasContent);
}

/** OpenCode stores 0 for a model without a price. */
export function recordedCost(info: JsonObject): number | undefined {
  const cost = recordedCostOf({ cost: info.cost });
  return cost === 0 && totalTokens(usageOf(info)) > 0 ? undefined : cost;
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
