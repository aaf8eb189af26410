import type { Message } from "../domain/conversation/message.js";
import { isJsonObject, labelOf } from "../domain/json/json.js";

interface MessageTexts {
  readonly role: string;
  readonly text: string;
  readonly thinking: string;
}

export function textsIn(message: Message): MessageTexts {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const content = message.content ?? message.parts;
  for (const part of Array.isArray(content) ? content : [content]) {
    if (typeof part === "string") texts.push(part);
    if (!isJsonObject(part)) continue;
    const type = labelOf(part.type) ?? "text";
    const text = part.text ?? part.content ?? part.thinking ?? part.reasoning;
    if (typeof text !== "string") continue;
    if (/reason|think|thought/.test(type)) thoughts.push(text);
    else if (/text$/.test(type)) texts.push(text);
  }
  const join = (list: readonly string[]) => list.filter((text) => text !== "").join("\n");
  return { role: roleOf(message), text: join(texts), thinking: join(thoughts) };
}

export function roleOf({ role, type }: Message): string {
  const word = labelOf(role) ?? labelOf(type) ?? "";
  return ROLES.get(word) ?? word;
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ["developer", "system"],
  ["human", "user"],
  ["model", "assistant"],
  ["ai", "assistant"],
  ["function_call", "assistant"],
  ["reasoning", "assistant"],
]);

const DEEPEST = 8;

export function promptIn(input: unknown, depth = 0): string | undefined {
  if (typeof input === "string") return input === "" ? undefined : input;
  if (Array.isArray(input)) {
    const prompt = input.findLast((entry) => isJsonObject(entry) && roleOf(entry) === "user");
    return isJsonObject(prompt) ? textsIn(prompt).text || undefined : undefined;
  }
  if (!isJsonObject(input) || depth === DEEPEST) return undefined;
  const { prompt, messages, input: inner } = input;
  return promptIn(prompt, depth + 1) ?? promptIn(messages, depth + 1) ?? promptIn(inner, depth + 1);
}
