import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import type { JobEndPart } from "../../transcripts/recorder/parts.js";
import { jobEndInText } from "../../transcripts/recorder/task-notification.js";
import { blocksOf, firstText } from "./record.js";

/**
 * The end of a background task, in a separate record or attached to another one. Older versions state neither the call nor the outcome:
 * the agent's own file contains more.
 */
export function jobEndIn(record: JsonObject): JobEndPart | undefined {
  const attachment = objectField(record, "attachment");
  const isAttached = record.type === "attachment" && attachment.type === "queued_command";
  const { kind } = objectField(isAttached ? attachment : record, "origin");
  if (kind !== "task-notification") return undefined;
  const text = isAttached
    ? textField(attachment, "prompt")
    : firstText(blocksOf(objectField(record, "message")));
  return text === undefined ? undefined : jobEndInText(text);
}
