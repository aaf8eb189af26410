/** `agent-inspector/histories`: the histories that other tools keep, of any format that is known, by its name. */
export type { TranscriptOptions } from "./adapters/transcripts/transcript-data-source.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export { openHistories } from "./composition/open-histories.js";
