import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import { isJsonObject } from "../../domain/json/json.js";

const CAUSES: readonly unknown[] = ["compaction", "micro-compaction", "rewind", "request"];

/** The value is untrusted, and contexts rely on its indexes. `undefined` if it is invalid. */
export function checkedOutline(value: unknown): ConversationOutline | undefined {
  if (!isJsonObject(value)) return undefined;
  const isOutline = isListOf(value.calls, isCall) && isListOf(value.removals, isRemoval);
  return isOutline ? (value as object as ConversationOutline) : undefined;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

function isListOf(value: unknown, is: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isCall(value: unknown): boolean {
  return isJsonObject(value) && typeof value.callId === "string" && isCount(value.at);
}

function isRemoval(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { at, cause, timestamp = "", messages, restored = [], seen: context = [], toolCallIds = [] } = value;
  return (
    isCount(at) &&
    CAUSES.includes(cause) &&
    typeof timestamp === "string" &&
    [messages, restored, context].every((runs) => isListOf(runs, isRun)) &&
    isListOf(toolCallIds, (id) => typeof id === "string")
  );
}

function isRun(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isCount) && value[0] <= value[1];
}
