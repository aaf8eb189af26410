import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";

/** Claude Code's records about its own work, some by subtype; other records are ordinary events. */
const TYPES: ReadonlyMap<string, "any" | RegExp> = new Map<string, "any" | RegExp>([
  ["progress", "any"],
  [
    "attachment",
    /^(async_)?hook_|_reminder$|_delta$|^(batching_reminder_sent|budget_usd|command_permissions|date_change|skill_listing)$|^(environment|model|session_context|date|remote_session_change|prompt_snapshot)$/,
  ],
  ["system", /^(stop_hook_summary|turn_duration|session_start)$/],
  ["agent-name", "any"],
  ["ai-title", "any"],
  ["api-request", "any"],
  ["api-request-blob", "any"],
  ["api-request-shape", "any"],
  ["atis-latch", "any"],
  ["bridge-session", "any"],
  ["cost-state", "any"],
  ["custom-title", "any"],
  ["file-history-delta", "any"],
  ["file-history-snapshot", "any"],
  ["fork-context-ref", "any"],
  ["last-prompt", "any"],
  ["launched", "any"],
  ["mode", "any"],
  ["permission-mode", "any"],
  ["queue-operation", "any"],
  ["relocated", "any"],
  ["result", "any"],
  ["started", "any"],
  ["summary", "any"],
  ["tools-used", "any"],
  ["worktree-state", "any"],
]);

/** Supported types beside bookkeeping, some by subtype. */
const VISIBLE: ReadonlyMap<string, "any" | RegExp> = new Map<string, "any" | RegExp>([
  ["assistant", "any"],
  ["user", "any"],
  ["pr-link", "any"],
  [
    "attachment",
    /^(auto_mode|compact_file_reference|dynamic_skill|edited_text_file|file|invoked_skills|nested_memory|plan_mode|plan_mode_exit|queued_command|read_truncation_notice|task_status|ultra_effort_enter|ultra_effort_exit)$/,
  ],
  [
    "system",
    /^(api_error|api_refusal|compact_boundary|error|local_command|microcompact_boundary|model_refusal_fallback)$/,
  ],
]);

/** The type, or the subtype if only that is unsupported. */
export function unknownTypeOf(record: JsonObject): string | undefined {
  const type = textField(record, "type") ?? "untyped";
  const visible = VISIBLE.get(type);
  if (visible === "any" || TYPES.get(type) === "any") return undefined;
  const subtype = subtypeOf(record) ?? "";
  if (isBookkeeping(record, subtype) || visible?.test(subtype) === true) return undefined;
  return visible === undefined ? type : `${type}/${subtype}`;
}

function subtypeOf(record: JsonObject): string | undefined {
  return (
    textField(record, "subtype") ??
    textField(objectField(record, "data"), "type") ??
    textField(objectField(record, "attachment"), "type")
  );
}

export function passedThrough(record: JsonObject): JsonObject {
  // Claude Code writes such words in the user's name; the model does not answer them.
  if (record.type === "user") return { type: "text", role: "user" };
  const caller = record.type === "progress" ? textField(record, "parentToolUseID") : undefined;
  return {
    type: `claude-code.${textField(record, "type") ?? "unknown"}`,
    subtype: subtypeOf(record),
    toolCallId: caller ?? textField(objectField(record, "attachment"), "toolUseID"),
    ...bookkeepingOf(record),
  };
}

export function failureIn(record: JsonObject): string | undefined {
  const subtype = subtypeOf(record) ?? "";
  const error = hookError(record, subtype);
  return error !== undefined && isBookkeeping(record, subtype) ? error : undefined;
}

function isBookkeeping(record: JsonObject, subtype: string): boolean {
  const existing = TYPES.get(textField(record, "type") ?? "");
  return existing === "any" || existing?.test(subtype) === true;
}

function bookkeepingOf(record: JsonObject): JsonObject {
  const subtype = subtypeOf(record) ?? "";
  if (!isBookkeeping(record, subtype)) return {};
  // A snapshot belongs to the message that follows it, whose envelope has the id of its record.
  const stepId = textField(record, "messageId")?.toLowerCase();
  if (!/(^|_)hook_/.test(subtype)) return { bookkeeping: "record", stepId };
  const message = hookError(record, subtype);
  const failure = message === undefined ? {} : { isError: true, error: { message } };
  return { bookkeeping: "hook", stepId, hook: hookOf(record), ...failure };
}

function hookOf(record: JsonObject): JsonObject | undefined {
  const { hookName, hookEvent, command } = {
    ...objectField(record, "attachment"),
    ...objectField(record, "data"),
  };
  const name = hookName ?? hookEvent;
  return name === undefined && command === undefined ? undefined : { name, command };
}

/** The error lies at the hook, or in the summary of several hooks. */
function hookError(record: JsonObject, subtype: string): string | undefined {
  if (subtype === "stop_hook_summary") {
    const errors = Array.isArray(record.hookErrors) ? record.hookErrors : [];
    return errors.length === 0 ? undefined : textIn(errors[0]) || subtype;
  }
  if (!/^(async_)?hook_.*error/.test(subtype)) return undefined;
  const { blockingError, stderr, stdout, content } = objectField(record, "attachment");
  return [blockingError, stderr, content, stdout].map(textIn).find((text) => text !== "") ?? subtype;
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isJsonObject(value)) return "";
  return textField(value, "blockingError") ?? textField(value, "message") ?? textField(value, "error") ?? "";
}
