import type { Message } from "../../domain/conversation/message.js";
import { isJsonObject, type JsonObject, labelOf, objectField, textField } from "../../domain/json/json.js";
import type { RunSpanFacts, RunSpanResult } from "../../recording/run-span.js";
import { errorOf, jsonOf, objectsIn, tokensOf } from "./framework-values.js";

export function modelOf({ modelId, provider }: JsonObject) {
  return { model: labelOf(modelId), provider: labelOf(provider) };
}

export function promptOf({ prompt, messages }: JsonObject): unknown {
  const input = prompt ?? messages;
  return Array.isArray(input) && input.length === 0 ? undefined : input;
}

export function messagesOf({ instructions }: JsonObject, messages: unknown): readonly Message[] {
  const before = [instructions ?? []].flat();
  const system = before.map((one) => (isJsonObject(one) ? one : { role: "system", content: one }));
  return [...system, ...objectsIn(messages)];
}

export function partsOf(content: unknown): readonly JsonObject[] {
  return objectsIn(content).map(({ file, ...part }) => {
    return isJsonObject(file) ? { ...part, mediaType: file.mediaType, data: file.base64 } : part;
  });
}

export function answered(response: JsonObject, content: readonly JsonObject[]): RunSpanResult {
  const answer = content.length === 0 ? undefined : [{ role: "assistant", content: jsonOf(content) }];
  return {
    model: labelOf(response.modelId),
    answer,
    stopReason: textField(response, "finishReason"),
    usage: usageIn(objectField(response, "usage")),
  };
}

export function usageIn(usage: JsonObject) {
  const { cacheReadTokens, cacheWriteTokens } = objectField(usage, "inputTokenDetails");
  const { inputTokens, outputTokens } = usage;
  return tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens });
}

/** A tool call that the SDK reports only in an answer. */
interface ReportedToolCall {
  readonly facts: Pick<RunSpanFacts, "name" | "input"> & { readonly toolCallId: string };
  readonly result: RunSpanResult;
}

/** Invalid calls, and calls that the provider ran itself: the SDK executes no tool for them. */
export function reportedToolCallsIn(content: readonly JsonObject[]): readonly ReportedToolCall[] {
  const ends = new Map<unknown, JsonObject>();
  for (const part of content)
    if (/^tool-(result|error)$/.test(String(part.type)) && !ends.has(part.toolCallId))
      ends.set(part.toolCallId, part);
  return content.flatMap((call) => {
    const { type, toolName, input } = call;
    const toolCallId = labelOf(call.toolCallId);
    if (type !== "tool-call" || toolCallId === undefined) return [];
    const facts = { toolCallId, name: labelOf(toolName) ?? "tool", input: jsonOf(input) };
    if (call.invalid === true) return [{ facts, result: { error: errorOf(call.error) } }];
    const end = ends.get(call.toolCallId);
    if (end === undefined) return [];
    return [
      {
        facts,
        result: end.type === "tool-error" ? { error: errorOf(end.error) } : { output: jsonOf(end.output) },
      },
    ];
  });
}
