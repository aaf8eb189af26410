import type { Message } from "../../domain/conversation/message.js";
import { isJsonObject, type JsonObject, objectField, parsedText, textField } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { jsonOf, objectsIn, tokensOf, toolCallPart } from "./framework-values.js";

export function modelCallOf(data: JsonObject): RunSpanResult {
  const isResponse = data.type === "response";
  const chat = objectsIn(data.output).find((one) => Array.isArray(one.choices));
  const response = isResponse ? objectField(data, "_response") : (chat ?? {});
  const choices = objectsIn(response.choices);
  const input = isResponse ? data._input : data.input;
  const output = isResponse
    ? response.output
    : chat === undefined
      ? data.output
      : choices.map((one) => one.message);
  const usage = isJsonObject(data.usage) ? data.usage : response.usage;
  return {
    model: textField(response, "model") ?? textField(data, "model"),
    messages: [...systemIn(response.instructions), ...messagesIn(input)],
    answer: messagesIn(output),
    stopReason:
      choices[0] === undefined ? textField(response, "status") : textField(choices[0], "finish_reason"),
    usage: isJsonObject(usage) ? tokensIn(usage) : undefined,
  };
}

export function chatAnswer(completion: JsonObject): RunSpanResult {
  const { messages: _, ...answer } = modelCallOf({ type: "generation", output: [completion] });
  return answer;
}

export function responseAnswer(response: JsonObject): RunSpanResult {
  const { messages: _, ...answer } = modelCallOf({ type: "response", _response: response });
  if (response.status !== "failed") return answer;
  const { message, code } = objectField(response, "error");
  return {
    ...answer,
    error: { message: String(message ?? "failed"), type: code ? String(code) : undefined },
  };
}

export function isBrokenOff(data: JsonObject): boolean {
  if (data.type === "response") return data._input !== undefined && data._response === undefined;
  return data.input !== undefined && data.output === undefined;
}

export function callsIn(messages: readonly Message[]): { readonly id: string; readonly name: string }[] {
  return messages.flatMap((message) => [
    ...objectsIn(message.content)
      .filter(({ type }) => type === "tool-call")
      .map(({ toolCallId, toolName }) => ({ id: String(toolCallId), name: String(toolName) })),
    ...objectsIn(message.tool_calls).map((call) => {
      return { id: String(call.id), name: String(objectField(call, "function").name) };
    }),
  ]);
}

function systemIn(instructions: unknown): Message[] {
  return typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
}

/** Several items of one answer become one message. */
function messagesIn(list: unknown): Message[] {
  if (typeof list === "string") return [{ role: "user", content: list }];
  const messages: Message[] = [];
  let parts: unknown[] | undefined;
  for (const item of objectsIn(jsonOf(list))) {
    const message = messageOf(item);
    const content =
      message.role === "assistant" && Array.isArray(message.content) ? message.content : undefined;
    if (content !== undefined && parts !== undefined) {
      for (const part of content) parts.push(part);
    } else {
      parts = content && [...content];
      messages.push(parts === undefined ? message : { ...message, content: parts });
    }
  }
  return messages;
}

function messageOf(item: JsonObject): Message {
  const id = item.callId ?? item.call_id;
  const part = (role: string, content: readonly JsonObject[]): Message => ({ role, content });
  switch (item.type) {
    case "function_call":
      return part("assistant", [toolCallPart(id, item.name, parsedText(item.arguments))]);
    case "function_call_result":
    case "function_call_output":
      return part("tool", [{ type: "tool-result", toolCallId: id, output: item.output }]);
    case "reasoning":
      return part(
        "assistant",
        [...objectsIn(item.summary), ...objectsIn(item.content)].map(({ text }) => ({
          type: "reasoning",
          text,
        })),
      );
    default: {
      const { type, id: _, status, ...message } = item;
      if (typeof item.role !== "string") return part("assistant", [item]);
      return message as Message;
    }
  }
}

function tokensIn(usage: JsonObject) {
  const details = ["input_tokens_details", "prompt_tokens_details", "details"].flatMap((name) =>
    [objectField(usage, name), ...objectsIn(usage[name])].filter(
      (details) => Object.keys(details).length > 0,
    ),
  );
  const cached = details.find((details) => details.cached_tokens !== undefined) ?? {};
  return tokensOf({
    inputTokens: usage.input_tokens ?? usage.prompt_tokens,
    outputTokens: usage.output_tokens ?? usage.completion_tokens,
    cacheReadTokens: cached.cached_tokens,
    cacheWriteTokens: cached.cache_write_tokens,
  });
}
