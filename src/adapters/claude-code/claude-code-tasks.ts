import { readingSteps, tasksOf } from "../transcripts/reading-tasks.js";
import { claudeCodeFormat } from "./claude-code-format.js";

const steps = readingSteps(claudeCodeFormat);

/** What a thread is asked about a projects folder of Claude Code. Threads find the steps here, by their names. */
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

export const CLAUDE_CODE_TASKS = tasksOf(import.meta.url, steps);
