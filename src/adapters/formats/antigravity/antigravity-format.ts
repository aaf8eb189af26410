import path from "node:path";
import { textField } from "../../../domain/json/json.js";
import { firstRecord } from "../../files/bytes/read-short.js";
import { filePerSession } from "../../transcripts/folder/file-per-session.js";
import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { loneSession } from "../../transcripts/folder/transcript-files.js";
import { PlainFollower, type PlainRecord } from "../../transcripts/recorder/plain-follower.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { readRecord } from "./parts.js";

/** Plain-text logs of Antigravity: see `docs/experimental.md`. */
export const antigravityFormat: TranscriptFormat<PlainRecord> = {
  name: "antigravity",
  folder: filePerSession({
    depth: 4,
    isNamed: (name) => name.endsWith(".jsonl"),
    *sessionOf(root, file) {
      const first = (yield* firstRecord(root, file, "messages")) ?? {};
      const isStep = typeof first.step_index === "number" && textField(first, "source") !== undefined;
      if (!isStep || textField(first, "type") === undefined) return undefined;
      return { ...loneSession(file), sessionId: brainOf(file) ?? loneSession(file).sessionId };
    },
  }),
  parts: readRecord,
  follower: (recorder) => new PlainFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "created_at",
};

function brainOf(file: string): string | undefined {
  const names = file.split(path.sep);
  const at = names.lastIndexOf("brain");
  return at === -1 || at + 2 >= names.length ? undefined : names[at + 1];
}

/** Threads load the tasks from this module. */
export const steps = readingSteps(antigravityFormat);

export const ANTIGRAVITY_TASKS = tasksOf(import.meta.url, "antigravity-format", steps);
