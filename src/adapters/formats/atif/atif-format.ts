import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { AtifFollower } from "./follow.js";
import { discover, inFile, recognises, tenants } from "./layout.js";
import { type AtifRecord, readRecord } from "./parts.js";
import { STEPS, SUBAGENTS } from "./record.js";

/** Agent Trajectory Interchange Format: `docs/atif.md` describes the result of each step. */
export const atifFormat: TranscriptFormat<AtifRecord> = {
  name: "atif",
  folder: { recognises, tenants, discover, inFile },
  parts: readRecord,
  follower: (recorder) => new AtifFollower(recorder),
  nestedIn: [[STEPS], [SUBAGENTS]],
  // A complete step is a message: no member has this name.
  messageMembers: { own: "" },
  instantMember: "timestamp",
};

/** Threads load the tasks from this module. */
export const steps = readingSteps(atifFormat);

export const ATIF_TASKS = tasksOf(import.meta.url, "atif-format", steps);
