import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import type { ToolOutcome } from "../../transcripts/recorder/parts.js";

/** Later versions may have others. */
const TYPES = new Set(["user", "assistant", "tool_result", "system"]);
const SUBTYPES = new Set(
  (
    "agent_bootstrap agent_launch_prompt agent_mention agent_message agent_retry agent_session_ready at_command attribution_snapshot " +
    "background_task_completed branch_checkpoint chat_compression code_mode_tool_result custom_title file_history_snapshot goal_runtime " +
    "goal_state goal_turn_end omni_recall parent_session rewind session_approval_mode session_artifact_event session_artifact_snapshot " +
    "session_execution_engine session_model session_notes session_source session_sources_snapshot slash_command turn_attempt turn_result " +
    "ui_telemetry user_text_elements"
  ).split(" "),
);

/** Displayed, although the model's context did not contain them. */
const VISIBLE = new Set(["slash_command", "rewind", "agent_message", "background_task_completed"]);

export function unknownTypeOf({ type, subtype }: JsonObject): string | undefined {
  if (typeof type !== "string" || !TYPES.has(type)) return `${typeof type === "string" ? type : "untyped"}`;
  if (type !== "system" || (typeof subtype === "string" && SUBTYPES.has(subtype))) return undefined;
  return `system/${typeof subtype === "string" ? subtype : "untyped"}`;
}

export function isBookkeeping(record: JsonObject): boolean {
  const { type, subtype } = record;
  return type === "system" && unknownTypeOf(record) === undefined && !VISIBLE.has(subtype as string);
}

export function partsOf(record: JsonObject): readonly unknown[] {
  const { parts } = objectField(record, "message");
  return Array.isArray(parts) ? parts : [];
}

export function textsOf(parts: readonly unknown[]): string[] {
  return parts.flatMap((part) =>
    isJsonObject(part) && part.thought !== true ? (textField(part, "text") ?? []) : [],
  );
}

const REMINDERS = /^\s*(<system-reminder>[\s\S]*?<\/system-reminder>\s*)+/;
const HOOK_CONTEXT = "<qwen:user-prompt-submit-context>";

/** Excludes text that the program and its hooks added. */
export function promptIn(record: JsonObject): readonly unknown[] {
  const prompt: unknown[] = [];
  for (const part of partsOf(record)) {
    const text = isJsonObject(part) && typeof part.text === "string" ? part.text : undefined;
    const own = text?.trimStart().startsWith(HOOK_CONTEXT) ? "" : text?.replace(REMINDERS, "");
    if (own === text) prompt.push(part);
    else if (own !== "") prompt.push({ text: own });
  }
  const { displayText } = objectField(record, "systemPayload");
  if (typeof displayText !== "string") return prompt;
  const others = prompt.filter((part) => !isJsonObject(part) || typeof part.text !== "string");
  return displayText === "" ? others : [{ text: displayText }, ...others];
}

export function blockOf(part: unknown): JsonObject {
  if (!isJsonObject(part)) return { type: "qwen-code.part", value: part };
  const { text, thought, ...rest } = part;
  if (typeof text !== "string") return { ...part, type: `qwen-code.${Object.keys(part)[0] ?? "part"}` };
  return thought === true ? { ...rest, type: "thinking", thinking: text } : { ...part, type: "text" };
}

/** `cancelled`: a person refused or stopped it. Records of sub-agents have no status. */
export function outcomeOf(status: unknown, response: JsonObject): ToolOutcome {
  if (status === "cancelled") return "refused";
  const hasFailed = status === undefined ? response.error !== undefined : status === "error";
  return hasFailed ? "failed" : "completed";
}

/** They replace all earlier messages. */
export function compressedHistoryOf(record: JsonObject): readonly unknown[] | undefined {
  if (record.type !== "system" || record.subtype !== "chat_compression") return undefined;
  const { compressedHistory } = objectField(record, "systemPayload");
  return Array.isArray(compressedHistory) ? compressedHistory : undefined;
}
