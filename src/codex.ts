/** `agent-inspector/codex`: the session histories that Codex CLI stores. */
export type { TranscriptOptions } from "./adapters/transcripts/source/transcript-data-source.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export { createCodexDataSource } from "./composition/transcript-sources.js";
