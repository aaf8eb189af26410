/** The parts that the main entry combines: for mounting by hand, for custom sources, and for use cases without HTTP. */
export type { FilesystemDataSourceOptions } from "./adapters/data-directory/filesystem-data-source.js";
export { ThreadPool } from "./adapters/files/threads/thread-pool.js";
export type { DecideAccess, OnInspectorError } from "./adapters/http/inspector-route.js";
export type { InMemorySession } from "./adapters/memory/memory-state.js";
export type { ModelPrice, ModelPrices } from "./adapters/prices/own-prices.js";
export { AnalysisReader } from "./application/analysis/analysis-reader.js";
export {
  AgentAppConfigurationError,
  InvalidRequestError,
  RecordingError,
  SessionNotFoundError,
  SourceChangedError,
  SourceContractError,
  SourceUnavailableError,
} from "./application/errors.js";
export type { ExportFormat } from "./application/export/export-formats.js";
export {
  type ExportedFile,
  type ExportedSessions,
  type ExportParts,
  type ExportRequest,
  type ExportReview,
  ExportSession,
} from "./application/export/export-session.js";
export { ReviewExport } from "./application/export/review-export.js";
export { FilteredSessions } from "./application/listing/filtered-sessions.js";
export type { SessionRequest, Window } from "./application/listing/window.js";
export type {
  ArchiveLines,
  ExportWriter,
  OwnRule,
  Redaction,
  RedactionFinding,
  RedactionReview,
} from "./application/ports/export.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export type { PriceTable, PricingInput, PricingTask } from "./application/ports/price-table.js";
export type { ReadingPool, ReadingTask, RunOptions } from "./application/ports/reading-pool.js";
export type { LinesWorkspace } from "./application/ports/workspace-files.js";
export { CallPricing } from "./application/pricing/call-pricing.js";
export { CheckHealth } from "./application/questions/check-health.js";
export { CompareSessions } from "./application/questions/compare-sessions.js";
export {
  DescribeModel,
  type ModelDescription,
  type ModelRequest,
} from "./application/questions/describe-model.js";
export { ExplainLines, type LinesRequest } from "./application/questions/explain-lines.js";
export { GetCallContext } from "./application/questions/get-call-context.js";
export { GetMessageProvenance } from "./application/questions/get-message-provenance.js";
export {
  GetOverview,
  type OverviewParts,
  type OverviewRequest,
} from "./application/questions/get-overview.js";
export { GetSessionMessages } from "./application/questions/get-session-messages.js";
export { GetSessionOrchestration } from "./application/questions/get-session-orchestration.js";
export { GetSessionTrace } from "./application/questions/get-session-trace.js";
export {
  type JsonList,
  type ListOptions,
  type RevisedAnswer,
  recordsOf,
  type UnchangedList,
} from "./application/questions/json-list.js";
export { ListSessions, type SessionQuery } from "./application/questions/list-sessions.js";
export { ListSources, type SourceList, type SourcesRequest } from "./application/questions/list-sources.js";
export { SearchRecords } from "./application/questions/search-records.js";
export { SearchSessions } from "./application/questions/search-sessions.js";
export { SummarizeSession } from "./application/questions/summarize-session.js";
export {
  describeSession,
  type SessionRecord,
  type SessionRecords,
} from "./application/recording/describe-session.js";
export type { RecorderClock } from "./application/recording/recording.js";
export { SessionRecorder } from "./application/recording/session-recorder.js";
export { TraceOrders } from "./application/records/trace-orders.js";
export type { SearchAnswer, SearchRequest } from "./application/search/search-answer.js";
export type { SearchRecordsOptions } from "./application/search/search-setup.js";
export type {
  SessionHits as SessionsFound,
  SessionSearchRequest,
  SessionWithHits,
} from "./application/search/session-search-answer.js";
export { readAllRecords, streamOf } from "./application/sources/record-streams.js";
export { scopeToTenants, type TenantScope } from "./application/sources/scope.js";
export { InProcessPool } from "./application/threads/in-process-pool.js";
export { type InspectorContainerOptions, TOKENS } from "./composition/container.js";
export type { InspectorRouteOptions } from "./composition/create-inspector-route.js";
export { createFilesystemInspectorDataSource } from "./composition/filesystem-data-source.js";
export { createFilesystemSessionStore } from "./composition/filesystem-session-store.js";
export {
  createInMemoryInspectorDataSource,
  type InMemoryInspectorDataSource,
} from "./composition/in-memory-data-source.js";
export { createInspectorContainer } from "./composition/threaded-container.js";
export { createInspectorRoute } from "./composition/threaded-inspector.js";
export {
  classifyEvent,
  type EventClass,
  type EventKind,
  type EventPhase,
} from "./domain/dialects/event-kinds.js";
export { batchOfTexts } from "./domain/json/record-batch.js";
export type { SearchHit } from "./domain/search/search-hit.js";
export {
  CONTENT_KINDS,
  type ContentKind,
  DEFAULT_KINDS,
  parseSearchQuery,
  type SearchQuery,
} from "./domain/search/search-query.js";
export { replayOrchestration } from "./domain/trace/replay-orchestration.js";
export { orderTrace, type TraceOrder } from "./domain/trace/trace-order.js";
export { keysOfEnvelopes, TraceSequenceMerge } from "./domain/trace/trace-sequence-merge.js";
export type { PricedCall, RatesOf, TokenRates } from "./domain/usage/money.js";
