import type { Story } from "./scene.js";
import { EVERYDAY_STORIES } from "./stories/everyday.js";
import { FAILURE_STORIES } from "./stories/failures.js";
import { flakyTest } from "./stories/flaky-test.js";
import { FOREIGN_TEXT_STORIES } from "./stories/foreign-text.js";
import { migration } from "./stories/migration.js";
import { RESEARCH_STORIES } from "./stories/research.js";
import { review } from "./stories/review.js";
import { SUPPORT_STORIES } from "./stories/support.js";
import { diskFull, pictures } from "./stories/visits.js";

/** Every session of the demo but the one that goes on while it is served. */
export const STORIES: readonly Story[] = [
  flakyTest,
  migration,
  review,
  diskFull,
  pictures,
  ...SUPPORT_STORIES,
  ...FOREIGN_TEXT_STORIES,
  ...RESEARCH_STORIES,
  ...FAILURE_STORIES,
  ...EVERYDAY_STORIES,
];
