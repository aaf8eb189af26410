import path from "node:path";
import { textField } from "../../../domain/json/json.js";
import { plainFormat } from "../../transcripts/folder/plain-format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { readRecord } from "./parts.js";

/** Plain-text logs of Antigravity: see `docs/experimental.md`. */
export const antigravityFormat = plainFormat({
  id: "antigravity",
  files: {
    ending: ".jsonl",
    depth: 4,
    session(first, file) {
      const isStep = typeof first.step_index === "number" && textField(first, "source") !== undefined;
      if (!isStep || textField(first, "type") === undefined) return undefined;
      return { id: brainOf(file) };
    },
  },
  record: readRecord,
  instantMember: "created_at",
});

function brainOf(file: string): string | undefined {
  const names = file.split(path.sep);
  const at = names.lastIndexOf("brain");
  return at === -1 || at + 2 >= names.length ? undefined : names[at + 1];
}

/** Threads load the tasks from this module. */
export const steps = readingSteps(antigravityFormat);

export const ANTIGRAVITY_TASKS = tasksOf(import.meta.url, "antigravity-format", steps);
