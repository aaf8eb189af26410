import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { GeminiFollower } from "./follow.js";
import { discover, inFile, recognises, tenants } from "./layout.js";
import { type GeminiRecord, readRecord } from "./parts.js";
import { MESSAGES } from "./record.js";
import { surroundings } from "./surroundings.js";

/** @see `docs/gemini-cli.md` */
export const geminiCliFormat: TranscriptFormat<GeminiRecord> = {
  name: "gemini-cli",
  folder: { recognises, tenants, discover, inFile, surroundings },
  parts: readRecord,
  follower: (recorder) => new GeminiFollower(recorder),
  nestedIn: [[MESSAGES], ["$set", MESSAGES]],
  messageMembers: { own: "message" },
  instantMember: "timestamp",
};

export const steps = readingSteps(geminiCliFormat);

export const GEMINI_CLI_TASKS = tasksOf(import.meta.url, "gemini-cli-format", steps);
