/** `agent-inspector/client`: the HTTP API from a browser or Node.js, typed. It imports no package and nothing of Node.js. */

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
  AnswerExtent,
  AnswerWarning,
  CallContextAnswer,
  CallContextQuery,
  CompareSessionsQuery,
  HealthAnswer,
  MessageProvenanceAnswer,
  MessageProvenanceQuery,
  MessagesAnswer,
  OrchestrationAnswer,
  PageQuery,
  RecordSearchAnswer,
  SearchRecordsQuery,
  SessionAgentsQuery,
  SessionComparisonAnswer,
  SessionListAnswer,
  SessionListQuery,
  SessionMessagesQuery,
  SessionOfTenant,
  SessionRecordsQuery,
  SessionSummaryAnswer,
  SinceQuery,
  TraceAnswer,
} from "./client/operations.js";
export type { Cost } from "./domain/usage/money.js";
