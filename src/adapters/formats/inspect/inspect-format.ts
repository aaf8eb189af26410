import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { InspectFollower } from "./follow.js";
import { discover, inFile, recognises, samples, tenants } from "./layout.js";
import { type InspectRecord, readRecord } from "./parts.js";
import { agentNamed } from "./spans.js";

/** @see `docs/inspect.md` */
export const inspectFormat: TranscriptFormat<InspectRecord> = {
  name: "inspect",
  folder: { recognises, tenants, discover, inFile, packed: samples },
  parts: readRecord,
  follower: (recorder) => new InspectFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "timestamp",
  agentOf: agentNamed,
};

export const steps = readingSteps(inspectFormat);

export const INSPECT_TASKS = tasksOf(import.meta.url, "inspect-format", steps);
