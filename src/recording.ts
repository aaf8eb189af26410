/** `agent-inspector/recording`: records sessions of an agent, and spans of frameworks. */
export { RecordingError, SourceUnavailableError } from "./application/errors.js";
export type {
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoreCallOptions,
  StoredOrchestrationEvent,
  TurnRecord,
} from "./application/ports/session-store.js";
export type {
  RecordedSession,
  RecordedTrace,
} from "./application/recording/recorded-session.js";
export type { RecordedInstant, RecorderClock, RecordOptions } from "./application/recording/recording.js";
export type { OnRecordingError } from "./application/recording/recording-error.js";
export {
  type BufferOptions,
  type OpenSessionOptions,
  type RecorderOptions,
  SessionRecorder,
} from "./application/recording/session-recorder.js";
export type { FlushOptions, FlushReport } from "./application/recording/store-call.js";
export type { Message } from "./domain/conversation/message.js";
export type { JsonObject } from "./domain/json/json.js";
export type { SessionKey } from "./domain/session/session-key.js";
export type { TokenUsage } from "./domain/usage/token-usage.js";
export { RunRecorder, type RunRecorderOptions } from "./recording/run-recorder.js";
export type {
  RunSpan,
  RunSpanFacts,
  RunSpanKind,
  RunSpanResult,
  SpanIdentity,
} from "./recording/run-span.js";
