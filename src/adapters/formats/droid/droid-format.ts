import { type JsonObject, textField } from "../../../domain/json/json.js";
import { plainFormat } from "../../transcripts/folder/plain-format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { readRecord } from "./parts.js";

/** Streams of Claude Code and Cursor begin alike, but state how they were authorised. */
function isInit({ type, subtype, apiKeySource, permissionMode }: JsonObject): boolean {
  const isOther = apiKeySource !== undefined || permissionMode !== undefined;
  return type === "system" && subtype === "init" && !isOther;
}

/** Reads stored sessions, and the stream of `droid exec`. @see `docs/experimental.md` */
export const droidFormat = plainFormat({
  id: "droid",
  files: {
    ending: ".jsonl",
    session(first) {
      const stored = first.type === "session_start" ? textField(first, "id") : undefined;
      const isStream = isInit(first) || textField(first, "text") !== undefined;
      const id = stored ?? (isStream ? textField(first, "session_id") : undefined);
      return id === undefined ? undefined : { id, directory: textField(first, "cwd") };
    },
  },
  record: readRecord,
  instantMember: "timestamp",
});

export const steps = readingSteps(droidFormat);

export const DROID_TASKS = tasksOf(import.meta.url, "droid-format", steps);
