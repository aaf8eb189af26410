import { countField, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";

export type SentRecord = SentRequest | SentMessage;

/** The first messages of another request, and the messages after them. */
export interface SentRequest {
  readonly is: "request";
  readonly id: string;
  readonly baseId: string | undefined;
  /** Number of first messages that it shares with the base. */
  readonly keep: number;
  /** The others, by hashes of their hashes. */
  readonly tail: readonly number[];
}

/** A message that no record of the conversation contains in this form. */
export interface SentMessage {
  readonly is: "message";
  readonly hash: number;
  readonly role: string;
}

export function sentIn(record: JsonObject): SentRecord | undefined {
  if (record.type === "api-request-blob") {
    const role = textField(objectField(record, "message"), "role") ?? "";
    return { is: "message", hash: hash53(textField(record, "hash") ?? ""), role };
  }
  const id = textField(record, "id");
  if (record.type !== "api-request" || id === undefined || !Array.isArray(record.tail)) return undefined;
  const tail = record.tail.map((hash) => hash53(String(hash)));
  return { is: "request", id, baseId: textField(record, "base"), keep: countField(record, "keep"), tail };
}
