/** `agent-inspector/histories`: the histories of other tools, in any supported format, by its name. */
export type { TranscriptOptions } from "./adapters/transcripts/source/transcript-data-source.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export { openHistories } from "./composition/open-histories.js";
