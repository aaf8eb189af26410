/** `agent-inspector/formats`: readers of histories that no built-in format reads. */
export { defineFormat, type FormatDefinition } from "./adapters/formats/define-format.js";
export type { FormatFiles, FormatSession } from "./adapters/transcripts/folder/plain-format.js";
export { messageParts } from "./adapters/transcripts/recorder/content-blocks.js";
export type {
  HistoryCall,
  HistoryPart,
  HistoryRecord,
} from "./adapters/transcripts/recorder/history-record.js";
