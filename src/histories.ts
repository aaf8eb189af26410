/** `agent-inspector/histories`: the histories of other tools, in any supported format or in one of `agent-inspector/formats`. */
export type { TranscriptOptions } from "./adapters/transcripts/source/transcript-data-source.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export {
  type CustomHistoriesOptions,
  createHistoriesDataSource,
  openHistories,
} from "./composition/open-histories.js";
