import { type FailedSteps, failedSteps } from "./failed-steps.js";
import { type RepeatedCalls, repeatedCalls } from "./repeated-calls.js";
import { type RereadFiles, rereadFiles } from "./reread-files.js";
import type { SessionSteps } from "./session-steps.js";

/**
 * What a session did in vain, or for a second time. Whether that was a mistake nobody can tell from here: a test that runs again after a change
 * has to. So what gave the same result as before is counted apart (`unchanged`). A call may be in several of these lists.
 */
export interface Waste extends FailedSteps {
  readonly repeatedCalls: RepeatedCalls;
  readonly rereadFiles: RereadFiles;
}

export function wasteOf(steps: SessionSteps): Waste {
  return { repeatedCalls: repeatedCalls(steps), rereadFiles: rereadFiles(steps), ...failedSteps(steps) };
}
