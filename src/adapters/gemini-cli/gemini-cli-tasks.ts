import { readingSteps, tasksOf } from "../transcripts/reading-tasks.js";
import { geminiCliFormat } from "./gemini-cli-format.js";

const steps = readingSteps(geminiCliFormat);

/** What a thread is asked about a folder of Gemini CLI. Threads find the steps here, by their names. */
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

export const GEMINI_CLI_TASKS = tasksOf(import.meta.url, steps);
