import type { TranscriptFormat } from "../../transcripts/format.js";
import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { QwenFollower } from "./follow.js";
import { folder, readNote } from "./layout.js";
import { type QwenRecord, readRecord } from "./parts.js";

/** The histories of Qwen Code. `docs/qwen-code.md` describes what each record becomes. */
export const qwenCodeFormat: TranscriptFormat<QwenRecord> = {
  name: "qwen-code",
  folder,
  parts: readRecord,
  follower: (recorder) => new QwenFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "timestamp",
  readNote,
  // An agent without a spawning call and without a file belongs to the program: its id is its name and eight digits.
  knownAgent: (agentId) => ({ role: agentId.replace(/-[0-9a-f]{8}$/, ""), description: undefined }),
};

/** Tasks that a thread runs for a folder of Qwen Code. Threads look them up here. */
export const steps = readingSteps(qwenCodeFormat);

export const QWEN_CODE_TASKS = tasksOf(import.meta.url, "qwen-code-format", steps);
