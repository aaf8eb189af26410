import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { type PiRecord, readRecord } from "./parts.js";
import { piFormat } from "./pi-format.js";
import { sessionFolder } from "./session-folder.js";

/** OpenClaw is based on Pi and writes the same entries, with fewer members. */
export const openClawFormat: TranscriptFormat<PiRecord> = {
  ...piFormat,
  name: "openclaw",
  folder: sessionFolder(true),
  parts: (record, line) => readRecord(record, line, "openclaw"),
};

export const steps = readingSteps(openClawFormat);

export const OPENCLAW_TASKS = tasksOf(import.meta.url, "openclaw-format", steps);
