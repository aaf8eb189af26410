import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { type RecordParts, recordedAt, textsIn } from "../../transcripts/recorder/parts.js";

export interface Entry extends Pick<RecordParts, "instant" | "hasOddInstant"> {
  readonly type: string;
  readonly payload: JsonObject;
  readonly kind: string;
}

/** Before the envelope, records are items themselves; the first one has no type. */
export function entryOf(record: JsonObject): Entry {
  const type = textField(record, "type");
  const recorded = recordedAt(record.timestamp);
  if (isJsonObject(record.payload)) {
    const { payload } = record;
    return { type: type ?? "unknown", payload, kind: textField(payload, "type") ?? "", ...recorded };
  }
  if (isHeader(record)) return { type: "session_meta", payload: record, kind: "", ...recorded };
  const isItem = type !== undefined && record.payload === undefined && record.timestamp === undefined;
  return {
    type: isItem ? "response_item" : (type ?? "unknown"),
    payload: record,
    kind: type ?? "",
    ...recorded,
  };
}

function isHeader(record: JsonObject): boolean {
  return record.type === undefined && textField(record, "id") !== undefined && "instructions" in record;
}

/** Codex puts these around images. */
const IMAGE_MARK = /^\s*<\/?image\b[^>]*>\s*$/;

export function promptIn(content: unknown): string {
  return textsIn(content)
    .filter((text) => !IMAGE_MARK.test(text))
    .join("\n");
}

export function thoughtsOf(payload: JsonObject): string[] {
  const summary = textsIn(payload.summary);
  return summary.length > 0 ? summary : textsIn(payload.content);
}

const NOT_TYPED =
  /^\s*(# AGENTS\.md instructions|<(user_instructions|environment_context|turn_aborted|subagent_notification|user_shell_command|skill|permissions|INSTRUCTIONS|user_action|model_switch|collaboration_mode|multi_agent_mode|personality_spec|recommended_plugins|hook_prompt)\b)/;

export function isTyped(text: string): boolean {
  return !NOT_TYPED.test(text);
}

/** `undefined` before version 0.154. */
export function isHuman(payload: JsonObject): boolean | undefined {
  const { content_item_kinds: kinds } = objectField(payload, "internal_chat_message_metadata_passthrough");
  if (!Array.isArray(kinds) || kinds.length === 0) return undefined;
  return kinds.some((kind) => kind === "user.text" || kind === "user.image");
}

/** Editors put open files before the prompt. */
const REQUEST = /^## My request for Codex:\s*/m;

export function requestIn(prompt: string): string {
  const match = REQUEST.exec(prompt);
  const request = match === null ? "" : prompt.slice(match.index + match[0].length);
  return request.trim() === "" ? prompt : request;
}
