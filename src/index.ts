export type { ModelPrice, ModelPrices } from "./adapters/prices/own-prices.js";
export type { OwnRule } from "./application/ports/export.js";
export type {
  InspectorDataSource,
  SessionPage,
  SessionSearch,
} from "./application/ports/inspector-data-source.js";
export type {
  RecordSearch,
  RecordSearchPage,
  SearchCandidate,
  SearchExtent,
} from "./application/ports/record-search.js";
export type {
  ReadOptions,
  RecordSelection,
  RecordStream,
  RecordWarning,
  TraceStream,
} from "./application/ports/record-stream.js";
export type {
  OrchestrationLog,
  OrchestrationState,
  SessionSnapshot,
} from "./application/ports/session-snapshot.js";
export type {
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoreCallOptions,
  StoredOrchestrationEvent,
  TurnRecord,
} from "./application/ports/session-store.js";
export type { SourceSurvey, SurveyRequest, TenantSurvey } from "./application/ports/source-survey.js";
export type {
  RecordedSession,
  RecordedTrace,
} from "./application/recording/recorded-session.js";
export type { RecordedInstant, RecordOptions } from "./application/recording/recording.js";
export type { OnRecordingError } from "./application/recording/recording-error.js";
export type {
  BufferOptions,
  OpenSessionOptions,
  RecorderOptions,
  SessionRecorder,
} from "./application/recording/session-recorder.js";
export type { FlushOptions, FlushReport } from "./application/recording/store-call.js";
export type { InspectorAccess } from "./application/sources/scope.js";
export type { CombineOptions, NamedSource } from "./application/sources/source-part.js";
export { combineDataSources } from "./composition/combine-data-sources.js";
export {
  type AgentApp,
  type AgentAppEnv,
  type AgentAppOptions,
  createAgentApp,
} from "./composition/create-agent-app.js";
export { INSPECTOR_PATH, type InspectorRouteOptions } from "./composition/create-inspector-route.js";
export {
  type MountedInspector,
  type MountInspectorOptions,
  mountInspector,
} from "./composition/mount-inspector.js";
export type { Message, RecordableMessage } from "./domain/conversation/message.js";
export type { JsonObject } from "./domain/json/json.js";
export type { RecordBatch } from "./domain/json/record-batch.js";
export type { ListedSession, ModelUsage } from "./domain/session/model-usage.js";
export type { RecordedFacts } from "./domain/session/recorded-facts.js";
export type {
  InspectorSessionItem,
  LiveKind,
  LiveState,
  SessionStatus,
} from "./domain/session/session.js";
export type { SessionKey } from "./domain/session/session-key.js";
export type {
  OrchestrationAgent,
  OrchestrationAgentRecord,
  OrchestrationAgentStatus,
  OrchestrationJob,
  OrchestrationJobOutcome,
  OrchestrationSnapshot,
} from "./domain/trace/orchestration.js";
export type { OwnEvent, RecordableEvent, RuntimeEvent } from "./domain/trace/runtime-event.js";
export type { TraceEvent, WorkflowTraceEventEnvelope } from "./domain/trace/trace-envelope.js";
export type { TraceKeys } from "./domain/trace/trace-order.js";
export type { Cost } from "./domain/usage/money.js";
export type { TokenUsage } from "./domain/usage/token-usage.js";
