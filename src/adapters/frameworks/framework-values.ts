import {
  CUT_OFF,
  countOf,
  isJsonObject,
  type JsonObject,
  labelOf,
  MOST_LEVELS,
} from "../../domain/json/json.js";
import type { TokenClass, TokenUsage } from "../../domain/usage/token-usage.js";
import type { RunSpanResult, SpanIdentity } from "../../recording/run-span.js";

/**
 * A JSON copy, which does not change when the agent continues. Bytes become base64, an error its name and message; values without a JSON
 * form are omitted, and cycles and deep nesting are cut off.
 */
export function jsonOf(value: unknown, around: readonly object[] = []): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (around.includes(value)) return undefined;
  if (around.length === MOST_LEVELS) return CUT_OFF;
  const within = [...around, value];
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) {
    return base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) return [...value].map((entry) => jsonOf(entry, within));
  if (Array.isArray(value) || value instanceof Set)
    return [...value].map((entry) => jsonOf(entry, within) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function") return jsonOf(value.toJSON(), within);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member, within)]));
}

const CHUNK = 0x8000;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(text);
}

export function errorOf(thrown: unknown): NonNullable<RunSpanResult["error"]> {
  if (!isJsonObject(thrown)) return { message: labelOf(thrown) ?? "failed" };
  const type = labelOf(thrown.name);
  return { message: labelOf(thrown.message) ?? type ?? "failed", type };
}

/** The frameworks' input count includes the tokens that a cache served and stored. */
export function tokensOf(counts: { readonly [Class in TokenClass]: unknown }): TokenUsage {
  const input = countOf(counts.inputTokens);
  const cacheReadTokens = countOf(counts.cacheReadTokens);
  const cacheWriteTokens = countOf(counts.cacheWriteTokens);
  const cached = cacheReadTokens + cacheWriteTokens;
  return {
    // A count larger than the input cannot be a part of the input.
    inputTokens: cached > input ? input : input - cached,
    outputTokens: countOf(counts.outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

export function identityIn(counts: unknown): SpanIdentity {
  if (!isJsonObject(counts)) return {};
  return {
    tenantId: labelOf(counts.tenantId),
    sessionId: labelOf(counts.sessionId),
    userId: labelOf(counts.userId),
  };
}

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

export function toolCallPart(toolCallId: unknown, toolName: unknown, input: unknown): JsonObject {
  return { type: "tool-call", toolCallId, toolName, input };
}
