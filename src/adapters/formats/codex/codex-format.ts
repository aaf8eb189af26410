import type { TranscriptFormat } from "../../transcripts/format.js";
import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { copiedRecords } from "./copied-records.js";
import { interpreter } from "./interpret.js";
import { entryOf, textIn } from "./record.js";
import { renderEvent, withoutContent } from "./render.js";
import { threadFolder } from "./thread-folder.js";
import { outcomeOf } from "./tools.js";

/** The histories of Codex CLI. `docs/codex.md` describes what each record becomes. */
export const codexFormat: TranscriptFormat = {
  name: "codex",
  ...threadFolder,
  lineage: (root, _, { path, copiedFrom = [] }) => copiedRecords(root, path, copiedFrom),
  interpreter,
  hasText: (record) => {
    const { type, payload, kind } = entryOf(record);
    if (type === "event_msg") return kind === "user_message" || kind === "thread_name_updated";
    return payload.role === "user" || kind === "agent_message";
  },
  render: renderEvent,
  withoutContent,
  messageMember: "payload",
  instantMember: "timestamp",
  resultOf: (record) => ({ text: textIn(outcomeOf(entryOf(record).payload).output) }),
  textOf: (record) => textIn(entryOf(record).payload.content ?? entryOf(record).payload.message),
};

/** What a thread is asked about a home of Codex. Threads find them here. */
export const steps = readingSteps(codexFormat);

export const CODEX_TASKS = tasksOf(import.meta.url, steps);
