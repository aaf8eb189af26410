/** `agent-inspector/recording`: records what frameworks tell as spans. */
export { RecordingError } from "./application/errors.js";
export type {
  SessionKey,
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "./application/ports/session-store.js";
export type { OnRecordingError, RecordedInstant, RecorderClock } from "./application/recording/recording.js";
export type { Message } from "./domain/conversation/message.js";
export type { JsonObject } from "./domain/json/json.js";
export type { TokenUsage } from "./domain/session/session.js";
export { RunRecorder, type RunRecorderOptions } from "./recording/run-recorder.js";
export type {
  RunSpan,
  RunSpanFacts,
  RunSpanKind,
  RunSpanResult,
  SpanIdentity,
} from "./recording/run-span.js";
