import type { Message } from "../../domain/conversation/message.js";
import {
  isJsonObject,
  type JsonObject,
  jsonIn,
  objectField,
  parsedText,
  present,
  textField,
} from "../../domain/json/json.js";
import { indexedAttributes } from "./indexed-attributes.js";
import type { RecordedSpan } from "./recorded-span.js";

export interface SpanMessages {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
}

export function spanMessages(span: RecordedSpan): SpanMessages {
  let input: readonly Message[] = [];
  let output: readonly Message[] = [];
  for (const { read } of READERS) {
    if (input.length > 0 && output.length > 0) break;
    const messages = read(span);
    if (input.length === 0) input = messages.input;
    if (output.length === 0) output = messages.output;
  }
  return { input, output };
}

interface Reader {
  read(span: RecordedSpan): SpanMessages;
  readonly names?: readonly string[];
}

function completeReader(input: readonly string[], output: readonly string[]): Reader {
  return {
    names: [...input, ...output],
    read({ attributes }) {
      const firstOf = (names: readonly string[]) =>
        names.map((name) => attributes[name]).find((value) => value !== undefined && value !== null);
      return { input: messagesIn(firstOf(input), "user"), output: messagesIn(firstOf(output), "assistant") };
    },
  };
}

/** Most exact first; input and output of the entire span last. */
const READERS: readonly Reader[] = [
  {
    names: ["gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"],
    read: ({ attributes }) => genAiMessages(attributes),
  },
  { read: fromEvents },
  {
    read: ({ attributes }) => ({
      input: indexedAttributes(attributes, "llm.input_messages").map(openInference),
      output: indexedAttributes(attributes, "llm.output_messages").map(openInference),
    }),
  },
  completeReader(["llm.prompts"], []),
  {
    read: ({ attributes }) => ({
      input: indexedAttributes(attributes, "gen_ai.prompt").map(openLlmetry),
      output: indexedAttributes(attributes, "gen_ai.completion").map(openLlmetry),
    }),
  },
  {
    names: [
      "ai.prompt.messages",
      "ai.response.text",
      "ai.response.object",
      "ai.response.toolCalls",
      "ai.response.reasoning",
    ],
    read: ({ attributes }) => ({
      input: messagesIn(attributes["ai.prompt.messages"], "user"),
      output: aiSdkAnswer(attributes),
    }),
  },
  completeReader(["gen_ai.request.messages"], ["gen_ai.response.text"]),
  completeReader(["new_context"], ["response.model_output"]),
  completeReader(["gcp.vertex.agent.llm_request"], ["gcp.vertex.agent.llm_response"]),
  completeReader(
    ["input.value", "langfuse.observation.input", "gen_ai.prompt"],
    ["output.value", "langfuse.observation.output", "gen_ai.completion"],
  ),
];

const COMPLETE_NAMES = new Set(READERS.flatMap(({ names = [] }) => names));

export function isMessageAttribute(name: string): boolean {
  return (
    COMPLETE_NAMES.has(name) || /^(gen_ai\.(prompt|completion)|llm\.(in|out)put_messages)(\.|$)/.test(name)
  );
}

function genAiMessages(attributes: JsonObject): SpanMessages {
  return {
    input: [
      ...systemIn(attributes["gen_ai.system_instructions"]),
      ...messagesIn(attributes["gen_ai.input.messages"], "user"),
    ],
    output: messagesIn(attributes["gen_ai.output.messages"], "assistant"),
  };
}

const LISTS = ["messages", "contents", "input", "prompts"];

/** Accepts a list, JSON text with a list, or any other value as one message, such as a truncated text. */
function messagesIn(value: unknown, role: string): readonly Message[] {
  if (value === undefined || value === null || value === "") return [];
  const parsed = parsedText(value);
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
  const parsed = parsedText(value);
  if (parsed === undefined || parsed === null || parsed === "") return [];
  if (!Array.isArray(parsed)) return [messageOf(parsed, "system")];
  return parsed.length === 0 ? [] : [{ role: "system", parts: parsed }];
}

/** Events of the span until 1.36: https://github.com/open-telemetry/semantic-conventions/blob/v1.36.0/docs/gen-ai/gen-ai-events.md */
function fromEvents({ events }: RecordedSpan): SpanMessages {
  // Joined at the end: a list of messages may exceed the arguments of one call.
  const input: (readonly Message[])[] = [];
  const output: (readonly Message[])[] = [];
  for (const { name, attributes } of events) {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
    if (role !== undefined) input.push([{ role, ...eventBody(attributes) }]);
    else if (name === "gen_ai.choice") {
      const body = eventBody(attributes);
      const message = parsedMember(body, "message");
      output.push([
        { role: "assistant", ...body, ...(isJsonObject(message) ? message : present({ content: message })) },
      ]);
    } else if (name === "gen_ai.client.inference.operation.details") {
      const messages = genAiMessages(attributes);
      input.push(messages.input);
      output.push(messages.output);
    } else if (name === "gen_ai.content.prompt") input.push(messagesIn(attributes["gen_ai.prompt"], "user"));
    else if (name === "gen_ai.content.completion")
      output.push(messagesIn(attributes["gen_ai.completion"], "assistant"));
  }
  return { input: input.flat(), output: output.flat() };
}

/** Content of the last message: the input or the result of a tool, a text, or its parts. */
export function contentOf(messages: readonly Message[]): unknown {
  const { content, parts } = messages.at(-1) ?? {};
  const value = parts ?? content;
  if (!Array.isArray(value)) return typeof value === "string" ? parsedText(value) : value;
  const values = value.map((part) => {
    if (!isJsonObject(part)) return part;
    return part.arguments ?? part.response ?? part.result ?? part.text ?? part.content ?? part;
  });
  return values.length === 1
    ? values[0]
    : values.every((one) => typeof one === "string")
      ? values.join("\n")
      : values;
}

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

/** Converts to the shape of OpenAI's chat, which OpenInference's names follow. */
function openInference(entry: unknown): Message {
  const message = isJsonObject(entry) ? objectField(entry, "message") : {};
  const { role = "user", content, contents, tool_calls, ...others } = message;
  const parts = Array.isArray(contents) ? contents.map(openInferencePart) : undefined;
  const calls = Array.isArray(tool_calls) ? tool_calls.map(openInferenceCall) : undefined;
  return {
    role,
    ...others,
    ...present({ content: parts ?? content, tool_calls: calls }),
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
  return { type: "function", ...(isJsonObject(entry) ? objectField(entry, "tool_call") : {}) };
}

function openLlmetry(entry: unknown): Message {
  const message = isJsonObject(entry) ? entry : { content: entry };
  const { tool_calls, content: _, ...others } = message;
  const calls = Array.isArray(tool_calls) ? tool_calls.filter(isJsonObject).map(openLlmetryCall) : undefined;
  return {
    role: "user",
    ...others,
    ...present({ content: parsedMember(message, "content"), tool_calls: calls }),
  };
}

function openLlmetryCall({ id, name, arguments: input }: JsonObject): JsonObject {
  return { type: "function", id, function: { name, arguments: input } };
}

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
  return { ...call, type: "tool-call", input: parsedText(input) };
}
