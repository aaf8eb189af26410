/** `agent-inspector/client`: the HTTP API from a browser or Node.js, typed. It imports no package and nothing of Node.js. */
export type {
  AnswerExtent,
  AnswerWarning,
  CallContextAnswer,
  HealthAnswer,
  MessageProvenanceAnswer,
  MessagesAnswer,
  OrchestrationAnswer,
  RecordSearchAnswer,
  SessionComparisonAnswer,
  SessionListAnswer,
  SessionSummaryAnswer,
  TraceAnswer,
} from "./client/operations.js";
export { InspectorClientError, type InspectorErrorCode } from "./client/client-error.js";
export {
  type CallOptions,
  type ClientRequest,
  type ClientResponse,
  InspectorClient,
  type InspectorClientOptions,
  pagesOf,
  type TaggedCallOptions,
} from "./client/inspector-client.js";
export type {
  CallContextQuery,
  CompareSessionsQuery,
  MessageProvenanceQuery,
  PageQuery,
  SearchRecordsQuery,
  SessionAgentsQuery,
  SessionListQuery,
  SessionMessagesQuery,
  SessionOfTenant,
  SessionRecordsQuery,
  SinceQuery,
} from "./client/operations.js";
export type { Cost } from "./domain/usage/money.js";
