import type { Message } from "../../domain/conversation/message.js";
import { isJsonObject, type JsonObject, jsonIn, objectField, textField } from "../../domain/json/json.js";
import { indexedAttributes } from "./indexed-attributes.js";
import type { RecordedSpan } from "./recorded-span.js";

/** What a model was given and what it answered, in the shape that its writer used. */
export interface SpanMessages {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
}

/** The messages of a model call, by the first convention that tells any. */
export function spanMessages(span: RecordedSpan): SpanMessages {
  let input: readonly Message[] = [];
  let output: readonly Message[] = [];
  for (const read of READERS) {
    const told = read(span);
    if (input.length === 0) input = told.input;
    if (output.length === 0) output = told.output;
  }
  return { input, output };
}

type Reader = (span: RecordedSpan) => SpanMessages;

/** The most exact first; those of the whole span as it came in and went out last. */
const READERS: readonly Reader[] = [
  ({ attributes }) => ({
    input: [
      ...systemIn(attributes["gen_ai.system_instructions"]),
      ...messagesIn(attributes["gen_ai.input.messages"], "user"),
    ],
    output: messagesIn(attributes["gen_ai.output.messages"], "assistant"),
  }),
  fromEvents,
  ({ attributes }) => ({
    input: indexedAttributes(attributes, "llm.input_messages").map(openInference),
    output: indexedAttributes(attributes, "llm.output_messages").map(openInference),
  }),
  ({ attributes }) => ({ input: messagesIn(attributes["llm.prompts"], "user"), output: [] }),
  ({ attributes }) => ({
    input: indexedAttributes(attributes, "gen_ai.prompt").map(openLlmetry),
    output: indexedAttributes(attributes, "gen_ai.completion").map(openLlmetry),
  }),
  ({ attributes }) => ({
    input: messagesIn(attributes["ai.prompt.messages"], "user"),
    output: aiSdkAnswer(attributes),
  }),
  ({ attributes }) => ({
    input: messagesIn(attributes.new_context, "user"),
    output: messagesIn(attributes["response.model_output"], "assistant"),
  }),
  ({ attributes }) => ({
    input: messagesIn(attributes["gcp.vertex.agent.llm_request"], "user"),
    output: messagesIn(attributes["gcp.vertex.agent.llm_response"], "assistant"),
  }),
  ({ attributes }) => ({
    input: messagesIn(
      attributes["input.value"] ?? attributes["langfuse.observation.input"] ?? attributes["gen_ai.prompt"],
      "user",
    ),
    output: messagesIn(
      attributes["output.value"] ??
        attributes["langfuse.observation.output"] ??
        attributes["gen_ai.completion"],
      "assistant",
    ),
  }),
];

const READ_WHOLE = new Set([
  "gen_ai.system_instructions",
  "gen_ai.input.messages",
  "gen_ai.output.messages",
  "ai.prompt.messages",
  "ai.response.text",
  "ai.response.object",
  "ai.response.toolCalls",
  "ai.response.reasoning",
  "new_context",
  "response.model_output",
  "gcp.vertex.agent.llm_request",
  "gcp.vertex.agent.llm_response",
  "llm.prompts",
  "input.value",
  "output.value",
  "langfuse.observation.input",
  "langfuse.observation.output",
]);

/** Whether messages are read from an attribute. */
export function isMessageAttribute(name: string): boolean {
  return READ_WHOLE.has(name) || /^(gen_ai\.(prompt|completion)|llm\.(in|out)put_messages)(\.|$)/.test(name);
}

/** Lists of messages that stand in another value, such as a request. */
const LISTS = ["messages", "contents", "input", "prompts"];

/**
 * The messages in a value: a list, JSON text with a list in it, or anything else as one message. A text that is no JSON, because it was
 * cut or never was any, is the message's text.
 */
function messagesIn(value: unknown, role: string): readonly Message[] {
  if (value === undefined || value === null || value === "") return [];
  const parsed = typeof value === "string" ? (jsonIn(value) ?? value) : value;
  if (Array.isArray(parsed)) return parsed.flat().map((entry) => messageOf(entry, role));
  if (isJsonObject(parsed)) {
    const list = LISTS.map((name) => parsed[name]).find((member) => Array.isArray(member));
    if (Array.isArray(list)) return list.flat().map((entry) => messageOf(entry, role));
  }
  return [messageOf(parsed, role)];
}

function messageOf(value: unknown, role: string): Message {
  if (!isJsonObject(value))
    return { role, content: typeof value === "string" ? value : JSON.stringify(value) };
  return "role" in value ? value : { role, ...value };
}

function systemIn(value: unknown): readonly Message[] {
  const parsed = typeof value === "string" ? (jsonIn(value) ?? value) : value;
  if (parsed === undefined || parsed === null || parsed === "") return [];
  if (!Array.isArray(parsed)) return [messageOf(parsed, "system")];
  return parsed.length === 0 ? [] : [{ role: "system", parts: parsed }];
}

/** Until 1.36, messages were events of the span: https://github.com/open-telemetry/semantic-conventions/blob/v1.36.0/docs/gen-ai/gen-ai-events.md */
function fromEvents({ events }: RecordedSpan): SpanMessages {
  // Joined once: a list of messages may be longer than what one call takes as its arguments.
  const input: (readonly Message[])[] = [];
  const output: (readonly Message[])[] = [];
  for (const { name, attributes } of events) {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
    if (role !== undefined) input.push([{ role, ...eventBody(attributes) }]);
    else if (name === "gen_ai.choice") {
      const body = eventBody(attributes);
      const message = parsedMember(body, "message");
      output.push([{ role: "assistant", ...(isJsonObject(message) ? { ...body, ...message } : body) }]);
    } else if (name === "gen_ai.client.inference.operation.details") {
      input.push(systemIn(attributes["gen_ai.system_instructions"]));
      input.push(messagesIn(attributes["gen_ai.input.messages"], "user"));
      output.push(messagesIn(attributes["gen_ai.output.messages"], "assistant"));
    } else if (name === "gen_ai.content.prompt") input.push(messagesIn(attributes["gen_ai.prompt"], "user"));
    else if (name === "gen_ai.content.completion")
      output.push(messagesIn(attributes["gen_ai.completion"], "assistant"));
  }
  return { input: input.flat(), output: output.flat() };
}

/** The body of an event: a member, JSON text, or the attributes themselves. */
function eventBody(attributes: JsonObject): JsonObject {
  const body = parsedMember(attributes, "body");
  if (isJsonObject(body)) return body;
  const own = Object.entries(attributes).filter(
    ([name]) => !name.startsWith("gen_ai.") && name !== "event.name",
  );
  return Object.fromEntries(own.map(([name]) => [name, parsedMember(attributes, name)]));
}

function parsedMember(object: JsonObject, name: string): unknown {
  const value = object[name];
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  return jsonIn(value) ?? value;
}

/** A message that OpenInference spread over attributes, in the shape of OpenAI's chat, which its names follow. */
function openInference(entry: unknown): Message {
  const message = isJsonObject(entry) ? objectField(entry, "message") : {};
  const { role = "user", content, contents, tool_calls, ...others } = message;
  const parts = Array.isArray(contents) ? contents.map(openInferencePart) : undefined;
  const calls = Array.isArray(tool_calls) ? tool_calls.map(openInferenceCall) : undefined;
  return {
    role,
    ...others,
    ...(content === undefined && parts === undefined ? {} : { content: parts ?? content }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
}

function openInferencePart(entry: unknown): unknown {
  if (!isJsonObject(entry)) return entry;
  const content = objectField(entry, "message_content");
  const url = textField(objectField(objectField(content, "image"), "image"), "url");
  if (content.type === "image" && url !== undefined) return { type: "image_url", image_url: { url } };
  return Object.keys(content).length === 0 ? entry : content;
}

function openInferenceCall(entry: unknown): unknown {
  const call = isJsonObject(entry) ? objectField(entry, "tool_call") : {};
  return { type: "function", ...call };
}

/** A message that OpenLLMetry spread over attributes, likewise. */
function openLlmetry(entry: unknown): Message {
  const message = isJsonObject(entry) ? entry : { content: entry };
  const { tool_calls, content, ...others } = message;
  const calls = Array.isArray(tool_calls)
    ? tool_calls.filter(isJsonObject).map(({ id, name, arguments: input }) => {
        return { type: "function", id, function: { name, arguments: input } };
      })
    : undefined;
  return {
    role: "user",
    ...others,
    ...(content === undefined ? {} : { content: parsedMember(message, "content") }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
}

/** What the AI SDK says of an answer, as one of its messages. */
function aiSdkAnswer(attributes: JsonObject): readonly Message[] {
  const text = attributes["ai.response.text"] ?? attributes["ai.response.object"];
  const calls = parsedMember(attributes, "ai.response.toolCalls");
  const reasoning = parsedMember(attributes, "ai.response.reasoning");
  const thoughts = Array.isArray(reasoning)
    ? reasoning
    : typeof reasoning === "string"
      ? [{ text: reasoning }]
      : [];
  const content = [
    ...thoughts.filter(isJsonObject).map((thought) => ({ ...thought, type: "reasoning" })),
    ...(typeof text === "string" && text !== "" ? [{ type: "text", text }] : []),
    ...(Array.isArray(calls) ? calls.filter(isJsonObject).map(aiSdkCall) : []),
  ];
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

function aiSdkCall(call: JsonObject): JsonObject {
  const input = call.input ?? call.args;
  return { ...call, type: "tool-call", input: typeof input === "string" ? (jsonIn(input) ?? input) : input };
}
