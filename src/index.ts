/** The package's main entry: an agent application that shows what its agents did. */
export type { ModelPrice, ModelPrices } from "./adapters/prices/own-prices.js";
export type { InspectorAccess } from "./application/inspector-access.js";
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
  SessionKey,
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "./application/ports/session-store.js";
export type { OnRecordingError, RecordedInstant } from "./application/recording.js";
export type {
  OpenSessionOptions,
  RecordedSession,
  RecordedTrace,
  RecorderOptions,
  RecordOptions,
  SessionRecorder,
} from "./application/session-recorder.js";
export type { CombineOptions } from "./application/source-calls.js";
export type { NamedSource } from "./application/source-part.js";
export { combineDataSources } from "./composition/combine-data-sources.js";
export {
  type AgentApp,
  type AgentAppEnv,
  type AgentAppOptions,
  createAgentApp,
} from "./composition/create-agent-app.js";
export { INSPECTOR_PATH, type InspectorRouteOptions } from "./composition/create-inspector-route.js";
export type { JsonObject } from "./domain/json.js";
export type { Message, RecordableMessage } from "./domain/message.js";
export type { ListedSession, ModelUsage } from "./domain/model-usage.js";
export type { Cost } from "./domain/money.js";
export type {
  OrchestrationAgent,
  OrchestrationAgentRecord,
  OrchestrationAgentStatus,
  OrchestrationJob,
  OrchestrationJobOutcome,
  OrchestrationSnapshot,
} from "./domain/orchestration.js";
export type { RecordBatch } from "./domain/record-batch.js";
export type { RecordedFacts } from "./domain/recorded-facts.js";
export type { OwnEvent, RecordableEvent, RuntimeEvent } from "./domain/runtime-event.js";
export type { InspectorSessionItem, SessionStatus, TokenUsage } from "./domain/session.js";
export type { TraceEvent, WorkflowTraceEventEnvelope } from "./domain/trace-envelope.js";
export type { TraceKeys } from "./domain/trace-order.js";
