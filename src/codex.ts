/** `agent-inspector/codex`: the histories that Codex CLI keeps of its sessions. */
export type { TranscriptOptions } from "./adapters/transcripts/transcript-data-source.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export { createCodexDataSource } from "./composition/transcript-sources.js";
