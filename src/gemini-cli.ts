/** `agent-inspector/gemini-cli`: the session histories that Gemini CLI stores. */
export type { TranscriptOptions } from "./adapters/transcripts/source/transcript-data-source.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export { createGeminiCliDataSource } from "./composition/transcript-sources.js";
