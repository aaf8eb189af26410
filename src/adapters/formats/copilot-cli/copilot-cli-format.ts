import type { TranscriptFormat } from "../../transcripts/format.js";
import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { CopilotFollower } from "./follow.js";
import { sessionFolder } from "./layout.js";
import type { CopilotRecord } from "./part-kinds.js";
import { readRecord } from "./parts.js";

/** The histories of GitHub Copilot CLI. `docs/copilot-cli.md` describes what each record becomes. */
export const copilotCliFormat: TranscriptFormat<CopilotRecord> = {
  name: "copilot-cli",
  folder: sessionFolder,
  parts: readRecord,
  follower: (recorder) => new CopilotFollower(recorder),
  // No record has this member: each record is a complete message.
  messageMembers: { own: "message" },
  instantMember: "timestamp",
};

/** The tasks that a thread runs for a folder of Copilot CLI. Threads load them from here. */
export const steps = readingSteps(copilotCliFormat);

export const COPILOT_CLI_TASKS = tasksOf(import.meta.url, "copilot-cli-format", steps);
