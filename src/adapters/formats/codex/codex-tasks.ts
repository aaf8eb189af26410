import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { codexFormat } from "./codex-format.js";

/** What a thread is asked about a home of Codex. Threads find them here. */
export const steps = readingSteps(codexFormat);

export const CODEX_TASKS = tasksOf(import.meta.url, steps);
