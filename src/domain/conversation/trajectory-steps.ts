import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { contentParts, resultPart } from "./content-parts.js";
import type { MessagePart } from "./message-part.js";

/** A step of the Agent Trajectory Interchange Format (Harbor's RFC 0001). */
export function isStep({ step_id: id, source }: JsonObject): boolean {
  return typeof source === "string" && id !== undefined;
}

export function stepRole({ source }: JsonObject): string {
  return source === "agent" ? "assistant" : String(source);
}

export function stepParts(step: JsonObject): MessagePart[] {
  const { message } = step;
  const thinking = textField(step, "reasoning_content");
  const parts = Array.isArray(message) ? message : [message ?? ""].filter((one) => one !== "");
  const { calls, loose } = callsOfStep(step);
  return [
    ...(thinking === undefined ? [] : [{ type: "thinking", text: thinking } as const]),
    ...parts.flatMap((part) => contentParts(part)),
    ...calls.map(({ call, toolCallId: callId }): MessagePart => {
      return { type: "call", callId, name: textField(call, "function_name") ?? "", input: call.arguments };
    }),
    ...calls.flatMap(({ toolCallId, results }) =>
      results.map((result) => resultPart(toolCallId, result.content, {})),
    ),
    ...loose
      .flatMap(({ content }) => (Array.isArray(content) ? content : [content ?? ""]))
      .flatMap((part) => contentParts(part)),
  ];
}

export interface StepCall {
  readonly call: JsonObject;
  readonly toolCallId: string;
  readonly results: readonly JsonObject[];
}

/** Results without a call's name belong to the calls without one, in order, if their numbers are equal. */
export function callsOfStep(step: JsonObject): {
  readonly calls: readonly StepCall[];
  readonly loose: readonly JsonObject[];
} {
  const named = new Map<string, JsonObject[]>();
  const calls = objectsIn(step.tool_calls).map((call, at) => {
    const toolCallId = textField(call, "tool_call_id") ?? `step ${String(step.step_id)}#${at}`;
    const results: JsonObject[] = [];
    named.set(toolCallId, results);
    return { call, toolCallId, results };
  });
  const idOf = (result: JsonObject) => textField(result, "source_call_id");
  const loose: JsonObject[] = [];
  for (const result of resultsOfStep(step)) (named.get(idOf(result) ?? "") ?? loose).push(result);
  const open = calls.filter(({ results }) => results.length === 0);
  if (open.length !== loose.length || loose.some((result) => idOf(result) !== undefined))
    return { calls, loose };
  for (const [at, { results }] of open.entries()) results.push(loose[at]!);
  return { calls, loose: [] };
}

export function resultsOfStep(step: JsonObject): readonly JsonObject[] {
  return objectsIn(objectField(step, "observation").results);
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
