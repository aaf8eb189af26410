import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { claudeCodeFormat } from "./claude-code-format.js";

/** What a thread is asked about a projects folder of Claude Code. Threads find them here. */
export const steps = readingSteps(claudeCodeFormat);

export const CLAUDE_CODE_TASKS = tasksOf(import.meta.url, steps);
