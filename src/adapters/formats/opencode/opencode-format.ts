import type { TranscriptFormat } from "../../transcripts/format.js";
import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { OpenCodeFollower } from "./follow.js";
import { OPENCODE_FOLDER } from "./layout.js";
import { type OpenCodeRecord, readRecord } from "./parts.js";

/** The histories of OpenCode. `docs/opencode.md` describes what each record becomes. */
export const opencodeFormat: TranscriptFormat<OpenCodeRecord> = {
  name: "opencode",
  folder: OPENCODE_FOLDER,
  parts: readRecord,
  follower: (recorder) => new OpenCodeFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "timestamp",
};

/** The tasks that a thread runs for a folder of OpenCode. Threads load them from here. */
export const steps = readingSteps(opencodeFormat);

export const OPENCODE_TASKS = tasksOf(import.meta.url, "opencode-format", steps);
