/** The parts behind the main entry: for mounting by hand, for sources of one's own, and for use cases without HTTP. */
export type { FilesystemDataSourceOptions } from "./adapters/filesystem/filesystem-data-source.js";
export type { DecideAccess } from "./adapters/http/access.js";
export type { OnInspectorError } from "./adapters/http/inspector-route.js";
export { ThreadPool } from "./adapters/jsonl/thread-pool.js";
export type { ModelPrice, ModelPrices } from "./adapters/prices/own-prices.js";
export { CallPricing } from "./application/call-pricing.js";
export { CheckHealth } from "./application/check-health.js";
export {
  describeSession,
  type SessionRecord,
  type SessionRecords,
} from "./application/describe-session.js";
export {
  AgentAppConfigurationError,
  InvalidRequestError,
  RecordingError,
  SessionNotFoundError,
  SourceChangedError,
  SourceContractError,
  SourceUnavailableError,
} from "./application/errors.js";
export { GetCallContext } from "./application/get-call-context.js";
export { GetMessageProvenance } from "./application/get-message-provenance.js";
export { GetSessionMessages } from "./application/get-session-messages.js";
export { GetSessionOrchestration } from "./application/get-session-orchestration.js";
export { GetSessionTrace } from "./application/get-session-trace.js";
export { InProcessPool } from "./application/in-process-pool.js";
export type { TenantScope } from "./application/inspector-access.js";
export type { JsonList, ListOptions, UnchangedList } from "./application/json-list.js";
export { ListSessions, type SessionQuery } from "./application/list-sessions.js";
export { readAllRecords, type SessionRequest, streamOf } from "./application/open-session.js";
export type { ListProgress } from "./application/ports/list-progress.js";
export type { PriceTable, PricingInput, PricingTask } from "./application/ports/price-table.js";
export type { ReadingPool, ReadingTask, RunOptions } from "./application/ports/reading-pool.js";
export type { RecorderClock } from "./application/recording.js";
export { scopeToTenants } from "./application/scope-to-tenants.js";
export type { SearchAnswer, SearchRequest } from "./application/search-answer.js";
export { SearchRecords, type SearchRecordsOptions } from "./application/search-records.js";
export { SessionRecorder } from "./application/session-recorder.js";
export type { Window } from "./application/window.js";
export { createInspectorContainer, type InspectorContainerOptions } from "./composition/container.js";
export { createInspectorRoute, type InspectorRouteOptions } from "./composition/create-inspector-route.js";
export {
  createFilesystemInspectorDataSource,
  createInMemoryInspectorDataSource,
  type InMemoryInspectorDataSource,
  type InMemorySession,
} from "./composition/data-sources.js";
export { createFilesystemSessionStore } from "./composition/filesystem-session-store.js";
export { TOKENS } from "./composition/tokens.js";
export { classifyEvent, type EventClass, type EventKind, type EventPhase } from "./domain/event-kinds.js";
export type { PricedCall, RatesOf, TokenRates } from "./domain/money.js";
export { batchOfTexts } from "./domain/record-batch.js";
export { replayOrchestration } from "./domain/replay-orchestration.js";
export type { SearchHit } from "./domain/search-hit.js";
export {
  CONTENT_KINDS,
  type ContentKind,
  DEFAULT_KINDS,
  parseSearchQuery,
  type SearchQuery,
} from "./domain/search-query.js";
export { orderTrace, type TraceOrder } from "./domain/trace-order.js";
export { keysOfEnvelopes, TraceSequenceMerge } from "./domain/trace-sequence-merge.js";
