import { isJsonObject } from "../json/json.js";
import { hash53 } from "../text/fingerprints.js";
import type { ReadMessage } from "./conversation.js";
import { type MessagePart, partText } from "./message-part.js";

/** Shorter texts are kept as they are. */
const LONGEST_TEXT = 200;
/** How deep the input of a tool is looked into, and how many of its members are kept at each level. */
const DEEPEST = 4;
const MOST_MEMBERS = 32;

/**
 * A message of bounded size in the place of one with long texts, by which contexts can be compared: digests of two messages are the same
 * where the messages are, their calls of tools have the same ids, names and files, and equal inputs are equal.
 */
export function digestedMessage(message: ReadMessage): ReadMessage {
  return {
    ...message,
    parts: message.parts.map(digestedPart),
    replacement: message.replacement?.map(digestedMessage),
  };
}

function digestedPart(part: MessagePart): MessagePart {
  switch (part.type) {
    case "text":
    case "thinking":
      return { type: part.type, text: digestOf(part.text) };
    case "result":
      return { ...part, text: digestOf(part.text), images: [] };
    case "call":
      return { ...part, input: digestedInput(part.input) };
    case "image":
      return { type: "image", source: "" };
    case "other":
      return { type: "text", text: digestOf(partText(part)) };
    default:
      return part satisfies never;
  }
}

/** The beginning of a long text, so that what it is about can be told, and a number for the rest. */
function digestOf(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…${hash53(text)}`;
}

function digestedInput(input: unknown, depth = 0): unknown {
  if (typeof input === "string") return digestOf(input);
  if (typeof input !== "object" || input === null) return input;
  if (depth === DEEPEST) return digestOf(JSON.stringify(input));
  const members = Array.isArray(input) ? [...input.entries()] : Object.entries(input);
  const kept = members.slice(0, MOST_MEMBERS).map(([name, value]) => [name, digestedInput(value, depth + 1)]);
  if (members.length > MOST_MEMBERS) kept.push(["…", hash53(JSON.stringify(input))]);
  return isJsonObject(input) ? Object.fromEntries(kept) : kept.map(([, value]) => value);
}
