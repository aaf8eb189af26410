import { isJsonObject, textField } from "../../../src/domain/json.js";
import type { ConversationEntry } from "../model/conversation.js";
import { previewText } from "../model/formats.js";
import { partText } from "../model/message-parts.js";
import type { CutText, EntryRow } from "./message-protocol.js";

/** What a folded text shows, and then some; the rest is asked for when somebody unfolds it. */
const CUT_AT = 6000;

/** The fields of a tool's input that say most, in this order. */
const TELLING = ["command", "file_path", "path", "pattern", "query", "url", "description", "prompt"];

export function entryRow(
  { key, messageIndex, origin, role, opensSpeaker, part, result }: ConversationEntry,
  cutAt = CUT_AT,
): EntryRow {
  return {
    key,
    messageIndex,
    origin,
    role,
    opensSpeaker,
    type: part.type,
    text: cut(partText(part), cutAt),
    name: part.type === "call" ? part.name : "",
    preview: part.type === "call" ? inputPreview(part.input) : "",
    callId: part.type === "call" || part.type === "result" ? part.callId : "",
    result: result && { text: cut(result.text, cutAt), isError: result.isError, images: result.images },
    images: part.type === "image" ? [part.source] : part.type === "result" ? part.images : [],
  };
}

function cut(text: string, cutAt: number): CutText {
  return { text: text.length > cutAt ? text.slice(0, cutAt) : text, length: text.length };
}

function inputPreview(input: unknown): string {
  if (!isJsonObject(input)) return typeof input === "string" ? previewText(input) : "";
  for (const name of TELLING) {
    const text = textField(input, name);
    if (text !== undefined) return previewText(text);
  }
  return previewText(JSON.stringify(input).slice(0, 600));
}
