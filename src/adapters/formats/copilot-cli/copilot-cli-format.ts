import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { CopilotFollower } from "./follow.js";
import { sessionFolder } from "./layout.js";
import type { CopilotRecord } from "./part-kinds.js";
import { readRecord } from "./parts.js";

/** @see `docs/copilot-cli.md` */
export const copilotCliFormat: TranscriptFormat<CopilotRecord> = {
  name: "copilot-cli",
  folder: sessionFolder,
  parts: readRecord,
  follower: (recorder) => new CopilotFollower(recorder),
  // No record has this member: each record is a complete message.
  messageMembers: { own: "message" },
  instantMember: "timestamp",
};

export const steps = readingSteps(copilotCliFormat);

export const COPILOT_CLI_TASKS = tasksOf(import.meta.url, "copilot-cli-format", steps);
