import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import type { RecordParts } from "../../transcripts/recorder/parts.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { CodexFollower } from "./follow.js";
import type { CodexPart } from "./part-kinds.js";
import { readRecord } from "./parts.js";
import { threadFolder } from "./thread-folder.js";

/** @see `docs/codex.md` */
export const codexFormat: TranscriptFormat<RecordParts<CodexPart>> = {
  name: "codex",
  folder: threadFolder,
  parts: readRecord,
  follower: (recorder) => new CodexFollower(recorder),
  messageMembers: { own: "payload" },
  instantMember: "timestamp",
};

export const steps = readingSteps(codexFormat);

export const CODEX_TASKS = tasksOf(import.meta.url, "codex-format", steps);
