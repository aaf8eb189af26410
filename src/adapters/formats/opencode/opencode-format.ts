import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { OpenCodeFollower } from "./follow.js";
import { OPENCODE_FOLDER } from "./layout.js";
import { type OpenCodeRecord, readRecord } from "./parts.js";

/** @see `docs/opencode.md` */
export const opencodeFormat: TranscriptFormat<OpenCodeRecord> = {
  name: "opencode",
  folder: OPENCODE_FOLDER,
  parts: readRecord,
  follower: (recorder) => new OpenCodeFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "timestamp",
};

export const steps = readingSteps(opencodeFormat);

export const OPENCODE_TASKS = tasksOf(import.meta.url, "opencode-format", steps);
