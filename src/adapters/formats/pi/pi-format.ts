import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { PiFollower } from "./follow.js";
import { type PiRecord, readRecord } from "./parts.js";
import { sessionFolder } from "./session-folder.js";

/** @see `docs/pi.md` */
export const piFormat: TranscriptFormat<PiRecord> = {
  name: "pi",
  folder: sessionFolder(false),
  parts: (record, line) => readRecord(record, line, "pi"),
  follower: (recorder) => new PiFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "timestamp",
};

export const steps = readingSteps(piFormat);

export const PI_TASKS = tasksOf(import.meta.url, "pi-format", steps);
