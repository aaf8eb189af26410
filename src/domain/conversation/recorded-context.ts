import { classifyEvent } from "../dialects/event-kinds.js";
import { isJsonObject, type JsonObject, jsonIn, objectField, textField } from "../json/json.js";
import { itemRole } from "./response-items.js";

export interface RecordedContext {
  readonly messages: readonly JsonObject[];
  readonly members: readonly string[];
}

/** In an event's end, only names that cannot mean the answer. */
const INPUT_MESSAGES = "gen_ai.input.messages";
const MESSAGES = [INPUT_MESSAGES, "messages", "context", "input", "prompt", "contents"];
const SYSTEM = [
  "gen_ai.system_instructions",
  "system",
  "instructions",
  "systemInstruction",
  "system_instruction",
];
const TOOLS = ["gen_ai.tool.definitions", "tools"];
/** Members that may contain the request, and a span's attributes. */
const HOLDERS = ["request", "attributes", "body", "input", "context", "prompt"];

/**
 * @param events of one model call
 * @returns `undefined` if they do not record the context
 */
export function recordedContext(events: readonly JsonObject[]): RecordedContext | undefined {
  for (const event of events) {
    const { phase } = classifyEvent(textField(event, "type") ?? "");
    const names = phase === "end" ? [INPUT_MESSAGES] : MESSAGES;
    const context = contextIn(event, names) ?? contextWithin(event, names);
    if (context !== undefined) return context;
  }
  return undefined;
}

/** The recorded context of a model call other than its messages; `undefined` without a record. */
export interface RecordedHead {
  readonly system: JsonObject | undefined;
  readonly tools: unknown;
}

/** @param events of one model call */
export function recordedHead(events: readonly JsonObject[]): RecordedHead {
  const holders = events.flatMap((event) => [event, ...HOLDERS.map((name) => objectField(event, name))]);
  const first = (names: readonly string[]) => {
    const values = holders.flatMap((holder) => names.map((name) => holder[name]));
    return values.find((value) => value !== undefined);
  };
  const system = first(SYSTEM);
  return { system: system === undefined ? undefined : systemMessage(system), tools: parsed(first(TOOLS)) };
}

function contextWithin(event: JsonObject, names: readonly string[]): RecordedContext | undefined {
  for (const holder of HOLDERS) {
    const context = contextIn(objectField(event, holder), names);
    if (context !== undefined) return { ...context, members: [holder] };
  }
  return undefined;
}

function contextIn(holder: JsonObject, names: readonly string[]): RecordedContext | undefined {
  for (const name of names) {
    const messages = messagesIn(holder[name]);
    if (messages === undefined) continue;
    const systemName = SYSTEM.find((name) => holder[name] !== undefined);
    if (systemName === undefined) return { messages, members: [name] };
    return { messages: [systemMessage(holder[systemName]), ...messages], members: [systemName, name] };
  }
  return undefined;
}

/** Accepts JSON text, too. An element that is not an object stays visible as the value of an object. */
function messagesIn(value: unknown): readonly JsonObject[] | undefined {
  const list = parsed(value);
  if (!Array.isArray(list) || !list.some(isMessage)) return undefined;
  return list.map((entry) => (isJsonObject(entry) ? entry : { value: entry }));
}

function isMessage(value: unknown): boolean {
  return isJsonObject(value) && (typeof value.role === "string" || itemRole(value) !== undefined);
}

function systemMessage(value: unknown): JsonObject {
  const content = parsed(value);
  // Gemini's is a message without a role.
  return isJsonObject(content) ? { ...content, role: "system" } : { role: "system", content };
}

function parsed(value: unknown): unknown {
  return typeof value === "string" && /^\s*[[{]/.test(value) ? (jsonIn(value) ?? value) : value;
}
