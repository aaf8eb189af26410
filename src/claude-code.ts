/** `agent-inspector/claude-code`: the histories that Claude Code keeps of its sessions. */
export type { ListProgress } from "./adapters/transcripts/transcript-catalog.js";
export type { TranscriptOptions } from "./adapters/transcripts/transcript-data-source.js";
export { createClaudeCodeDataSource } from "./composition/claude-code-data-source.js";
