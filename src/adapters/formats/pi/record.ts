import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { type ToolOutcome, textIn } from "../../transcripts/recorder/parts.js";

export function messageOf(record: JsonObject): JsonObject {
  return record.type === "message" ? objectField(record, "message") : {};
}

export function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

export function plainContent(content: unknown): unknown {
  const isText = (block: unknown) => isJsonObject(block) && block.type === "text";
  return blocksOf(content).every(isText) ? textIn(content) : content;
}

/** Replaces `aborted` if the user stopped a tool. */
const ABORTED = "This operation was aborted";

export function endingOf({ stopReason, errorMessage }: JsonObject): "answered" | "failed" | "stopped" {
  if (stopReason === "aborted" || (stopReason === "error" && errorMessage === ABORTED)) return "stopped";
  return stopReason === "error" ? "failed" : "answered";
}

/** OpenClaw wrote this text when it delivered an answer: no model was called for it, and no model reads it. */
export function isMirror({ provider, model }: JsonObject): boolean {
  return provider === "openclaw" && (model === "delivery-mirror" || model === "gateway-injected");
}

/** The user stopped these tools, or wrote a message instead. */
const STOPPED = /(?:^|\n)(?:Command|Operation) aborted$|^Skipped due to queued user message/;

export function outcomeOf({ isError, content }: JsonObject): ToolOutcome {
  if (isError !== true) return "completed";
  return STOPPED.test(textIn(content)) ? "refused" : "failed";
}

/** Equal for copies of an entry. An id of eight digits is unique only in its file. */
export function entryKey(record: JsonObject): number | undefined {
  const id = textField(record, "id");
  return id === undefined ? undefined : hash53(JSON.stringify([id, record.timestamp]));
}
