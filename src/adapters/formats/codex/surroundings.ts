import path from "node:path";
import { type JsonObject, textField } from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { NamedSession, Surroundings } from "../../transcripts/surroundings.js";

/** A home names threads in two files: those that have a name, and those that something was typed in. */
export function surroundings(root: string): Surroundings {
  const index = (name: string, named: (record: JsonObject) => NamedSession | undefined) => {
    return { folder: root, file: path.join(root, name), named };
  };
  return { indexes: [index("session_index.jsonl", nameOf), index("history.jsonl", promptOf)] };
}

function nameOf(record: JsonObject): NamedSession | undefined {
  const sessionId = textField(record, "id");
  if (sessionId === undefined) return undefined;
  return { sessionId, title: textField(record, "thread_name"), at: instantOf(record.updated_at) };
}

/** Its time is in seconds. */
function promptOf({ ts, ...record }: JsonObject): NamedSession | undefined {
  const sessionId = textField(record, "session_id");
  if (sessionId === undefined) return undefined;
  const at = typeof ts === "number" ? instantOf(ts * 1_000) : undefined;
  return { sessionId, title: textField(record, "text"), at };
}
