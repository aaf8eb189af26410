import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { type ToolOutcome, textIn } from "../../transcripts/parts.js";

/** Returns the message of an entry; `{}` for an entry without a message. */
export function messageOf(record: JsonObject): JsonObject {
  return record.type === "message" ? objectField(record, "message") : {};
}

/** The blocks of a content; a text counts as one. */
export function blocksOf(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

/** The text of a content that holds nothing else; else all of it. */
export function plainContent(content: unknown): unknown {
  const isText = (block: unknown) => isJsonObject(block) && block.type === "text";
  return blocksOf(content).every(isText) ? textIn(content) : content;
}

/** Replaces `aborted` if a tool ran that the user stopped. */
const ABORTED = "This operation was aborted";

/** Returns the ending of a model's answer: `stopped` if the user stopped it. */
export function endingOf({ stopReason, errorMessage }: JsonObject): "answered" | "failed" | "stopped" {
  if (stopReason === "aborted" || (stopReason === "error" && errorMessage === ABORTED)) return "stopped";
  return stopReason === "error" ? "failed" : "answered";
}

/** True for a text that OpenClaw wrote in the model's name when it delivered it: no model was called for it, and no model reads it. */
export function isMirror({ provider, model }: JsonObject): boolean {
  return provider === "openclaw" && (model === "delivery-mirror" || model === "gateway-injected");
}

/** Matches results of tools that the user stopped, or that were skipped for a message that the user wrote meanwhile. */
const STOPPED = /(?:^|\n)(?:Command|Operation) aborted$|^Skipped due to queued user message/;

export function outcomeOf({ isError, content }: JsonObject): ToolOutcome {
  if (isError !== true) return "completed";
  return STOPPED.test(textIn(content)) ? "refused" : "failed";
}

/** Returns a number that copies of an entry share with it: an id of eight digits is unique only in its file. */
export function entryKey(record: JsonObject): number | undefined {
  const id = textField(record, "id");
  return id === undefined ? undefined : hash53(JSON.stringify([id, record.timestamp]));
}
