import { isJsonObject, type JsonObject, objectField, textField } from "../../../src/domain/json.js";

/** What a runtime notes of its own work, beside what the agent did. */
export interface Bookkeeping {
  readonly kind: "hook" | "record";
  /** The tool call, and the event, that the record says it belongs to. */
  readonly toolCallId: string | undefined;
  readonly ownerId: string | undefined;
  /** How a hook failed. */
  readonly error: string | undefined;
  /** Which hook ran what; `""` for other records. */
  readonly about: string;
}

/**
 * The types of event that are bookkeeping, and of some the subtypes; a type that is not here is an event like any other. A hook
 * is known by its subtype.
 */
const TYPES: { readonly [type: string]: "any" | RegExp } = {
  // Claude Code
  "claude-code.progress": "any",
  "claude-code.attachment":
    /^(async_)?hook_|_reminder$|_delta$|^(batching_reminder_sent|budget_usd|command_permissions|date_change|skill_listing)$/,
  "claude-code.system": /^(stop_hook_summary|turn_duration|session_start)$/,
  "claude-code.agent-name": "any",
  "claude-code.ai-title": "any",
  "claude-code.bridge-session": "any",
  "claude-code.custom-title": "any",
  "claude-code.file-history-snapshot": "any",
  "claude-code.last-prompt": "any",
  "claude-code.mode": "any",
  "claude-code.permission-mode": "any",
  "claude-code.queue-operation": "any",
  "claude-code.relocated": "any",
  "claude-code.started": "any",
  "claude-code.summary": "any",
  "claude-code.worktree-state": "any",
  // Codex
  "codex.context_compacted": "any",
  "codex.ghost_snapshot": "any",
  "codex.inter_agent_communication_metadata": "any",
  "codex.retained_context": "any",
  "codex.session_meta": "any",
  "codex.task_complete": "any",
  "codex.task_started": "any",
  "codex.thread_settings_applied": "any",
  "codex.token_count": "any",
  "codex.token_usage_record": "any",
  "codex.turn_context": "any",
  "codex.world_state": "any",
  // Gemini CLI
  "gemini-cli.rewritten": "any",
  "gemini-cli.session": "any",
  "gemini-cli.set": "any",
  // runtimes
  agent_status_changed: "any",
  "context.usage": "any",
  context_usage: "any",
  message_update: "any",
  subagent_status: "any",
  tool_execution_update: "any",
};

/** @returns `undefined` for an event that is no bookkeeping */
export function readBookkeeping(type: string, event: JsonObject): Bookkeeping | undefined {
  const subtype = textField(event, "subtype") ?? "";
  const known = Object.hasOwn(TYPES, type) ? TYPES[type]! : undefined;
  const isKnown = known === "any" || known?.test(subtype) === true;
  // What is recorded twice is shown where it is said first.
  if (!isKnown && event.repeats !== true) return undefined;
  const isHook = /(^|_)hook_/.test(subtype);
  const record = objectField(event, "record");
  const attachment = objectField(record, "attachment");
  return {
    kind: isHook ? "hook" : "record",
    toolCallId: textField(event, "toolCallId") ?? textField(attachment, "toolUseID"),
    ownerId: textField(record, "messageId")?.toLowerCase(),
    error: hookError(subtype, record, attachment),
    about: hookText(isHook ? { ...attachment, ...objectField(record, "data") } : {}),
  };
}

/** What a hook that failed says, as it is recorded with the hook or in the summary of several. */
function hookError(subtype: string, record: JsonObject, attachment: JsonObject): string | undefined {
  if (subtype === "stop_hook_summary") {
    const errors = Array.isArray(record.hookErrors) ? record.hookErrors : [];
    return errors.length === 0 ? undefined : textIn(errors[0]) || subtype;
  }
  if (!/^(async_)?hook_.*error/.test(subtype)) return undefined;
  const { blockingError, stderr, stdout, content } = attachment;
  return [blockingError, stderr, content, stdout].map(textIn).find((text) => text !== "") ?? subtype;
}

function hookText({ hookName, hookEvent, command }: JsonObject): string {
  return [hookName ?? hookEvent, command].filter((part) => typeof part === "string").join(" ");
}

/** Itself, or the text of an object that tells of an error. */
function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isJsonObject(value)) return "";
  return textField(value, "blockingError") ?? textField(value, "message") ?? textField(value, "error") ?? "";
}
