import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { QwenFollower } from "./follow.js";
import { folder, readNote } from "./layout.js";
import { type QwenRecord, readRecord } from "./parts.js";

/** @see `docs/qwen-code.md` */
export const qwenCodeFormat: TranscriptFormat<QwenRecord> = {
  name: "qwen-code",
  folder,
  parts: readRecord,
  follower: (recorder) => new QwenFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "timestamp",
  readNote,
  // The program runs agents without a call and a file: their id is a name and eight digits.
  agentOf: (agentId) => ({ role: agentId.replace(/-[0-9a-f]{8}$/, ""), description: undefined }),
};

export const steps = readingSteps(qwenCodeFormat);

export const QWEN_CODE_TASKS = tasksOf(import.meta.url, "qwen-code-format", steps);
