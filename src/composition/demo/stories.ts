import type { Story } from "./scene.js";
import { CODING_STORIES } from "./stories/coding.js";

/** Every session of the demo. */
export const STORIES: readonly Story[] = [...CODING_STORIES];
