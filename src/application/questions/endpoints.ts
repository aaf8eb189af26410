import type { RevisedAnswer, UnchangedList } from "./json-list.js";
import type { AgentList, MessageList, SessionList, TraceEnvelopeList } from "./list-documents.js";
import type { ParameterName, ParameterValues } from "./parameter-values.js";
import type { InspectorUseCases } from "./use-cases.js";

export interface Endpoint {
  /** Relative to the mount, with parameter names in braces. */
  readonly path: `/${string}`;
  readonly required: readonly ParameterName[];
  readonly optional: readonly ParameterName[];
  readonly defaults?: Partial<ParameterValues>;
  readonly answer: AnswerForm;
  readonly use: keyof InspectorUseCases;
}

export type AnswerForm = DocumentForm | { readonly kind: "file" };

/**
 * - `list`: streamed, with a revision.
 * - `revised`: in one piece, with a revision.
 * - `value`: in one piece, and computed again for each request.
 */
interface DocumentForm {
  readonly kind: "list" | "revised" | "value";
  /** The required member of the answer; for a list its array. */
  readonly member: string;
}

interface ListForm<List> extends DocumentForm {
  readonly kind: "list";
  readonly parsed?: List;
}

function list<List>(member: keyof List & string): ListForm<List> {
  return { kind: "list", member };
}

const ONE_SESSION = ["sessionId"] as const;
const PAGE = ["limit", "cursor"] as const;
const OF_TENANT = { tenantId: "default" } as const;

/**
 * The endpoints, by their ids in `docs/openapi.yaml`: routes, client, parameters and the check of that document derive from it. Browsers
 * load it, so it imports only types.
 */
export const ENDPOINTS = {
  listSessions: {
    path: "/sessions",
    required: [],
    optional: ["tenantId", "sessionId", "userId", "status", "q", "source", "filter", "zone", ...PAGE],
    answer: list<SessionList>("sessions"),
    use: "listSessions",
  },
  getSessionTrace: {
    path: "/sessions/{sessionId}/trace",
    required: ONE_SESSION,
    optional: ["tenantId", ...PAGE, "since"],
    defaults: OF_TENANT,
    answer: list<TraceEnvelopeList>("envelopes"),
    use: "getSessionTrace",
  },
  getSessionOrchestration: {
    path: "/sessions/{sessionId}/orchestration",
    required: ONE_SESSION,
    optional: ["tenantId", "since"],
    defaults: OF_TENANT,
    answer: list<AgentList>("agents"),
    use: "getSessionOrchestration",
  },
  getSessionMessages: {
    path: "/sessions/{sessionId}/messages",
    required: ONE_SESSION,
    optional: ["tenantId", "agentId", ...PAGE, "since"],
    defaults: OF_TENANT,
    answer: list<MessageList>("messages"),
    use: "getSessionMessages",
  },
  getSessionSummary: {
    path: "/sessions/{sessionId}/summary",
    required: ONE_SESSION,
    optional: ["tenantId"],
    defaults: OF_TENANT,
    answer: { kind: "revised", member: "counts" },
    use: "summarizeSession",
  },
  compareSessions: {
    path: "/compare",
    required: ["sessionId", "otherSessionId"],
    optional: ["tenantId", "otherTenantId", "row", "limit"],
    defaults: { tenantId: "default", otherTenantId: "default", row: 0, limit: 100 },
    answer: { kind: "value", member: "sessions" },
    use: "compareSessions",
  },
  getCallContext: {
    path: "/sessions/{sessionId}/context",
    required: ["sessionId", "call"],
    optional: ["tenantId", ...PAGE],
    defaults: { tenantId: "default", limit: 100 },
    answer: { kind: "value", member: "call" },
    use: "getCallContext",
  },
  getMessageProvenance: {
    path: "/sessions/{sessionId}/provenance",
    required: ["sessionId", "call", "message"],
    optional: ["tenantId", "item"],
    defaults: OF_TENANT,
    answer: { kind: "value", member: "source" },
    use: "getMessageProvenance",
  },
  exportSession: {
    path: "/sessions/{sessionId}/export",
    required: ["sessionId", "format"],
    optional: ["tenantId", "only", "redact", "keep", "revision", "otherSessionId", "otherTenantId"],
    defaults: { tenantId: "default", otherTenantId: "default", redact: "strict" },
    answer: { kind: "file" },
    use: "exportSession",
  },
  reviewExport: {
    path: "/sessions/{sessionId}/findings",
    required: ONE_SESSION,
    optional: ["tenantId", "only"],
    defaults: OF_TENANT,
    answer: { kind: "value", member: "findings" },
    use: "reviewExport",
  },
  explainLines: {
    path: "/why",
    required: ["file"],
    optional: ["text", "before", "after", "line", "toLine", "tenantId", "sessionId", "filter", "zone"],
    answer: { kind: "value", member: "blocks" },
    use: "explainLines",
  },
  searchRecords: {
    path: "/search",
    required: ["q"],
    optional: ["tenantId", "sessionId", "in", "filter", "zone", ...PAGE],
    defaults: { limit: 100 },
    answer: { kind: "value", member: "hits" },
    use: "searchRecords",
  },
  searchSessions: {
    path: "/search/sessions",
    required: ["q"],
    optional: ["tenantId", "in", "filter", "zone", ...PAGE],
    defaults: { limit: 100 },
    answer: { kind: "value", member: "sessions" },
    use: "searchSessions",
  },
  getOverview: {
    path: "/overview",
    required: [],
    optional: ["tenantId", "filter", "from", "to", "zone", "by", "stack"],
    defaults: { by: "day", stack: "model" },
    answer: { kind: "value", member: "total" },
    use: "getOverview",
  },
  listSources: {
    path: "/sources",
    required: [],
    optional: ["only"],
    answer: { kind: "value", member: "sources" },
    use: "listSources",
  },
  describeModel: {
    path: "/model",
    required: ["model"],
    optional: ["provider", "at", "contextTokens"],
    answer: { kind: "value", member: "model" },
    use: "describeModel",
  },
  checkHealth: {
    path: "/health",
    required: [],
    optional: [],
    answer: { kind: "value", member: "status" },
    use: "checkHealth",
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

export type EndpointId = keyof typeof ENDPOINTS;

type Row<Id extends EndpointId> = (typeof ENDPOINTS)[Id];

type Requires<Id extends EndpointId> = Pick<ParameterValues, Row<Id>["required"][number]>;
type Allows<Id extends EndpointId> = Pick<ParameterValues, Row<Id>["optional"][number]>;
type Default<Id extends EndpointId> =
  Row<Id> extends { readonly defaults: infer Values } ? keyof Values : never;

export type QueryOf<Id extends EndpointId> = Requires<Id> & {
  readonly [Name in keyof Allows<Id>]?: Allows<Id>[Name] | undefined;
};

export type ValuesOf<Id extends EndpointId> = QueryOf<Id> &
  Pick<ParameterValues, Default<Id> & ParameterName>;

type UseCaseOf<Id extends EndpointId> = InspectorUseCases[Row<Id>["use"]]["execute"];

export type RequestOf<Id extends EndpointId> = Parameters<UseCaseOf<Id>>[0];

export type AnswerOf<Id extends EndpointId> =
  Row<Id>["answer"] extends ListForm<infer List> ? List : BodyOf<Awaited<ReturnType<UseCaseOf<Id>>>>;

type BodyOf<Answer> = Answer extends UnchangedList
  ? never
  : Answer extends RevisedAnswer<infer Value>
    ? Value
    : Answer;
