import path from "node:path";
import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import { plainFormat } from "../../transcripts/folder/plain-format.js";
import { messageParts } from "../../transcripts/recorder/content-blocks.js";
import type { HistoryPart, HistoryRecord } from "../../transcripts/recorder/history-record.js";
import { textIn, textsIn } from "../../transcripts/recorder/parts.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";

/** @see `docs/experimental.md` */
export const clineFormat = plainFormat({
  id: "cline",
  files: {
    ending: "api_conversation_history.json",
    arrayMember: "",
    session(first, file) {
      if (first.role !== "user" || first.content === undefined || first.type !== undefined) return undefined;
      const folder = path.dirname(file);
      return { id: path.basename(folder), tenant: path.basename(path.dirname(folder)) || "tasks" };
    },
  },
  record: readRecord,
  instantMember: "ts",
});

export const steps = readingSteps(clineFormat);

export const CLINE_TASKS = tasksOf(import.meta.url, "cline-format", steps);

const DIRECTORY = /# Current Working Directory \(([^)\n]{1,4096})\)/;

const ENVIRONMENT = /<environment_details>[\s\S]*?(?:<\/environment_details>|$)/g;

/** The older form of results: texts that name the tool. */
const RESULT = /^\[[^\n]*\] Result:/;

function readRecord(record: JsonObject): HistoryRecord {
  const { role, content, ...rest } = record;
  const isUser = role === "user";
  const isMessage = isUser || role === "assistant";
  return {
    parts: isMessage ? partsOf(record) : [],
    type: String(role ?? "record"),
    isUnknown: !isMessage,
    isMessage,
    call: role === "assistant" ? { model: textField(record, "model") } : undefined,
    directory: isUser ? DIRECTORY.exec(textIn(content))?.[1] : undefined,
    passed: isUser ? { type: "text", role } : {},
    rest: "role" in record ? { role, ...rest } : rest,
  };
}

function partsOf(record: JsonObject): readonly HistoryPart[] {
  const { role, content } = record;
  const hasResults =
    Array.isArray(content) && content.some((one) => isJsonObject(one) && one.type === "tool_result");
  if (role === "assistant" || hasResults) return messageParts(record);
  if (RESULT.test(textIn(content))) return [{ is: "input" }];
  const text = textsIn(content)
    .join("\n")
    .replaceAll(ENVIRONMENT, "")
    .replaceAll(/<\/?task>/g, "")
    .trim();
  return [{ is: "prompt", text, input: content }];
}
