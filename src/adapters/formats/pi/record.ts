import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { type ToolOutcome, textIn } from "../../transcripts/parts.js";

/** The message of an entry; `{}` for one that is none. */
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

/** What stands in the place of `aborted` where a tool ran that the user stopped. */
const ABORTED = "This operation was aborted";

/** How an answer of the model ended: `stopped` where the user did it. */
export function endingOf({ stopReason, errorMessage }: JsonObject): "answered" | "failed" | "stopped" {
  if (stopReason === "aborted" || (stopReason === "error" && errorMessage === ABORTED)) return "stopped";
  return stopReason === "error" ? "failed" : "answered";
}

/** What OpenClaw wrote in the model's name, as it delivered it: no model was called for it, and none sees it. */
export function isMirror({ provider, model }: JsonObject): boolean {
  return provider === "openclaw" && (model === "delivery-mirror" || model === "gateway-injected");
}

/** How results of tools read that the user stopped, or that gave way to what the user wrote meanwhile. */
const STOPPED = /(?:^|\n)(?:Command|Operation) aborted$|^Skipped due to queued user message/;

export function outcomeOf({ isError, content }: JsonObject): ToolOutcome {
  if (isError !== true) return "completed";
  return STOPPED.test(textIn(content)) ? "refused" : "failed";
}

/** What copies of an entry share with it, as a number: an id of eight digits is unique in its file alone. */
export function entryKey(record: JsonObject): number | undefined {
  const id = textField(record, "id");
  return id === undefined ? undefined : hash53(JSON.stringify([id, record.timestamp]));
}
