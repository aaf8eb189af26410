/** `agent-inspector/claude-code`: the session histories that Claude Code stores. */
export type { TranscriptOptions } from "./adapters/transcripts/source/transcript-data-source.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export { createClaudeCodeDataSource } from "./composition/transcript-sources.js";
