import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { geminiCliFormat } from "./gemini-cli-format.js";

/** What a thread is asked about a folder of Gemini CLI. Threads find them here. */
export const steps = readingSteps(geminiCliFormat);

export const GEMINI_CLI_TASKS = tasksOf(import.meta.url, steps);
