import path from "node:path";
import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import { NO_USAGE } from "../../../domain/usage/token-usage.js";
import { firstRecord } from "../../files/bytes/read-short.js";
import { filePerSession } from "../../transcripts/folder/file-per-session.js";
import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { loneSession } from "../../transcripts/folder/transcript-files.js";
import { blockParts } from "../../transcripts/recorder/content-blocks.js";
import {
  type CommonPart,
  promptPart,
  recordedAt,
  textIn,
  textsIn,
} from "../../transcripts/recorder/parts.js";
import { PlainFollower, type PlainRecord } from "../../transcripts/recorder/plain-follower.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";

const CONVERSATION = "api_conversation_history.json";

/** @see `docs/experimental.md` */
export const clineFormat: TranscriptFormat<PlainRecord> = {
  name: "cline",
  folder: filePerSession({
    depth: 3,
    isNamed: (name) => name === CONVERSATION,
    *sessionOf(root, file) {
      const first = (yield* firstRecord(root, file, "")) ?? {};
      if (first.role !== "user" || first.content === undefined || first.type !== undefined) return undefined;
      const lone = loneSession(file);
      const task = path.basename(path.dirname(file));
      const tenantId = path.basename(path.dirname(path.dirname(file))) || "tasks";
      const conversation = { ...lone.files[0], arrayMember: "" };
      return { ...lone, tenantId, sessionId: task, files: [conversation] };
    },
  }),
  parts: readRecord,
  follower: (recorder) => new PlainFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "timestamp",
};

export const steps = readingSteps(clineFormat);

export const CLINE_TASKS = tasksOf(import.meta.url, "cline-format", steps);

const DIRECTORY = /# Current Working Directory \(([^)\n]{1,4096})\)/;

const ENVIRONMENT = /<environment_details>[\s\S]*?(?:<\/environment_details>|$)/g;

/** The older form of results: texts that name the tool. */
const RESULT = /^\[[^\n]*\] Result:/;

function readRecord(record: JsonObject, line: number): PlainRecord {
  const { role } = record;
  const isMessage = role === "user" || role === "assistant";
  const text = () => textIn(record.content);
  const facts = {
    messageId: undefined,
    recordId: `line ${line}`,
    model: textField(record, "model"),
    usage: NO_USAGE,
  };
  return {
    parts: isMessage ? partsOf(record, line) : [],
    ...recordedAt(record.ts),
    isMessage,
    ...(isMessage ? {} : { unknownType: String(role ?? "record") }),
    ...(role === "assistant" ? { call: facts } : {}),
    ...(role === "user" ? { directory: DIRECTORY.exec(text())?.[1] } : {}),
    sessionStart: () => ({}),
    callEnd: () => ({ model: record.model }),
    passed: () => (role === "user" ? { type: "text", role } : { type: `cline.${String(role ?? "record")}` }),
    rest() {
      const { content: _, ...rest } = record;
      return rest;
    },
    text,
  };
}

function partsOf(record: JsonObject, line: number): readonly CommonPart[] {
  const { role, content } = record;
  const hasResults =
    Array.isArray(content) && content.some((one) => isJsonObject(one) && one.type === "tool_result");
  if (role === "assistant" || hasResults) return blockParts(record, line, "cline");
  if (RESULT.test(textIn(content))) return [{ is: "input" }];
  const prompts = textsIn(content)
    .join("\n")
    .replaceAll(ENVIRONMENT, "")
    .replaceAll(/<\/?task>/g, "")
    .trim();
  return [promptPart(prompts, () => content)];
}
