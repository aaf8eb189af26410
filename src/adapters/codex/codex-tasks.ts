import { readingSteps, tasksOf } from "../transcripts/reading-tasks.js";
import { codexFormat } from "./codex-format.js";

const steps = readingSteps(codexFormat);

/** What a thread is asked about a home of Codex. Threads find the steps here, by their names. */
export const {
  tenants,
  discover,
  recall,
  newestInTails,
  summarize,
  open,
  trace,
  readTrace,
  messagesOf,
  messages,
  readMessages,
  orchestration,
} = steps;

export const CODEX_TASKS = tasksOf(import.meta.url, steps);
