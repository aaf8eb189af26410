import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { type RecordParts, recordedAt, textsIn } from "../../transcripts/parts.js";

/** A record of a rollout, whichever version wrote it. */
export interface Entry extends Pick<RecordParts, "instant" | "hasOddInstant"> {
  readonly type: string;
  readonly payload: JsonObject;
  /** The type in the payload. */
  readonly kind: string;
}

/** Records of before the envelope are items themselves; the first one has no type. */
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

/** The first record of a file of before the envelope. */
function isHeader(record: JsonObject): boolean {
  return record.type === undefined && textField(record, "id") !== undefined && "instructions" in record;
}

/** Codex puts these around images. */
const IMAGE_MARK = /^\s*<\/?image\b[^>]*>\s*$/;

/** The text of a prompt, without the marks around its images. */
export function promptIn(content: unknown): string {
  return textsIn(content)
    .filter((text) => !IMAGE_MARK.test(text))
    .join("\n");
}

/** Returns the texts of a reasoning record: its summary, otherwise the reasoning of a model that exposes it. */
export function thoughtsOf(payload: JsonObject): string[] {
  const summary = textsIn(payload.summary);
  return summary.length > 0 ? summary : textsIn(payload.content);
}

/** Beginnings of texts that Codex writes in the user's name: its environment, permissions, and events. */
const NOT_TYPED =
  /^\s*(# AGENTS\.md instructions|<(user_instructions|environment_context|turn_aborted|subagent_notification|user_shell_command|skill|permissions|INSTRUCTIONS|user_action|model_switch|collaboration_mode|multi_agent_mode|personality_spec|recommended_plugins|hook_prompt)\b)/;

export function isTyped(text: string): boolean {
  return !NOT_TYPED.test(text);
}

/** True if a person wrote a message; `undefined` without this information, which threads since 0.154 have. */
export function isHuman(payload: JsonObject): boolean | undefined {
  const { content_item_kinds: kinds } = objectField(payload, "internal_chat_message_metadata_passthrough");
  if (!Array.isArray(kinds) || kinds.length === 0) return undefined;
  return kinds.some((kind) => kind === "user.text" || kind === "user.image");
}

/** Editors put what is open in front of the prompt. */
const REQUEST = /^## My request for Codex:\s*/m;

/** Returns the prompt without the text that an editor adds before it. */
export function requestIn(prompt: string): string {
  const found = REQUEST.exec(prompt);
  const request = found === null ? "" : prompt.slice(found.index + found[0].length);
  return request.trim() === "" ? prompt : request;
}
