/** `agent-inspector/gemini-cli`: the histories that Gemini CLI keeps of its sessions. */
export type { TranscriptOptions } from "./adapters/transcripts/transcript-data-source.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export { createGeminiCliDataSource } from "./composition/transcript-sources.js";
