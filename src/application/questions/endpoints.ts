import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import type { Message } from "../../domain/conversation/message.js";
import type { OrchestrationAgent } from "../../domain/orchestration/orchestration.js";
import type { Grouping, Stacking } from "../../domain/overview/overview.js";
import type { ContentKind } from "../../domain/search/search-query.js";
import type { InspectorSessionItem, SessionStatus } from "../../domain/session/session.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { ExportFormat } from "../export/export-formats.js";
import type { ExportSession } from "../export/export-session.js";
import type { ReviewExport } from "../export/review-export.js";
import type { RecordWarning } from "../ports/record-stream.js";
import type { CheckHealth } from "./check-health.js";
import type { CompareSessions } from "./compare-sessions.js";
import type { DescribeModel } from "./describe-model.js";
import type { ExplainLines } from "./explain-lines.js";
import type { GetCallContext } from "./get-call-context.js";
import type { GetMessageProvenance } from "./get-message-provenance.js";
import type { GetOverview } from "./get-overview.js";
import type { GetSessionMessages } from "./get-session-messages.js";
import type { GetSessionOrchestration } from "./get-session-orchestration.js";
import type { GetSessionTrace } from "./get-session-trace.js";
import type { RevisedAnswer, UnchangedList } from "./json-list.js";
import type { ListSessions } from "./list-sessions.js";
import type { ListSources } from "./list-sources.js";
import type { SearchRecords } from "./search-records.js";
import type { SearchSessions } from "./search-sessions.js";
import type { SummarizeSession } from "./summarize-session.js";

/** What can be asked of an inspector: the use cases, or what an embedder put in the place of one. */
export interface InspectorUseCases {
  readonly listSessions: Pick<ListSessions, "execute">;
  readonly getSessionTrace: Pick<GetSessionTrace, "execute">;
  readonly getSessionOrchestration: Pick<GetSessionOrchestration, "execute">;
  readonly getSessionMessages: Pick<GetSessionMessages, "execute">;
  readonly summarizeSession: Pick<SummarizeSession, "execute">;
  readonly compareSessions: Pick<CompareSessions, "execute">;
  readonly getCallContext: Pick<GetCallContext, "execute">;
  readonly getMessageProvenance: Pick<GetMessageProvenance, "execute">;
  readonly exportSession: Pick<ExportSession, "execute">;
  readonly reviewExport: Pick<ReviewExport, "execute">;
  readonly explainLines: Pick<ExplainLines, "execute">;
  readonly searchRecords: Pick<SearchRecords, "execute">;
  readonly searchSessions: Pick<SearchSessions, "execute">;
  readonly getOverview: Pick<GetOverview, "execute">;
  readonly listSources: Pick<ListSources, "execute">;
  readonly describeModel: Pick<DescribeModel, "execute">;
  readonly checkHealth: Pick<CheckHealth, "execute">;
}

/** All parameters, each of one meaning wherever it is taken. Their schemas are in `parameters.ts`. */
export interface ParameterValues {
  readonly sessionId: string;
  /** The tenant of the session. Default is `"default"` where a session is named, else all tenants. */
  readonly tenantId: string;
  /** The session to compare with. */
  readonly otherSessionId: string;
  /** Its tenant. Default is `"default"`. */
  readonly otherTenantId: string;
  /** A sub-agent, for its own conversation. Default is the main agent. */
  readonly agentId: string;
  /** `""` for sessions without a user. */
  readonly userId: string;
  readonly status: SessionStatus;
  /** The name or the key of one of several sources. */
  readonly source: string;
  /**
   * In the session list a text in the id, the user or the title, whatever its case. In a search a text, a text in double quotes for exactly
   * that case, or `re:` and a regular expression of RE2's syntax.
   */
  readonly q: string;
  /** Which sessions are meant: `tenant:acme tool:search error cost:>1 after:yesterday`. Default is all. */
  readonly filter: string;
  /** By whose days dates are read: a name of the IANA database, such as `Europe/Berlin`. Default is the service's. */
  readonly zone: string;
  /** The first instant of a range, as `after:` takes it in a filter: `2026-11-01`, `7d`, `yesterday`. Default is the first one recorded. */
  readonly from: string;
  /** The first instant behind a range. Default is now. */
  readonly to: string;
  /** By what rows are made. Default is `day`. */
  readonly by: Grouping;
  /** What rows are made up of. Default is `model`. */
  readonly stack: Stacking;
  /** Which texts are looked at. Default is all but `other`. */
  readonly in: readonly ContentKind[];
  /** A model call, by the id of an envelope of it, or of a step that it asked for. */
  readonly call: string;
  /** The `index` of a message that the call saw. */
  readonly message: number;
  /** The `item` of that message, where it has one. */
  readonly item: number;
  /** How many elements the page has at most: from 1 to 1000. Default is 100 of a context, of a comparison and of a search, else the whole list. */
  readonly limit: number;
  /** A file: its path from the top of its project, or a whole path. Sessions' paths are compared by their ends. */
  readonly file: string;
  /** Lines of that file. Default is the file as the sessions' last edit left it. */
  readonly text: string;
  /** The lines right before and right behind them. */
  readonly before: string;
  readonly after: string;
  /** The number of the first of these lines, or the first line that is meant, from 1. Default is 1. */
  readonly line: number;
  /** The last line that is meant. Default is `line`. */
  readonly toLine: number;
  /** The first row of the steps of two sessions that is wanted, from 0. Default is 0. */
  readonly row: number;
  /** The `nextCursor` of the page before. */
  readonly cursor: string;
  /**
   * The `syncToken` of the last answer, `""` for a first one. The answer says in `from` how many of the records that are known begin
   * the list, and holds those behind them. Not together with `limit` or `cursor`.
   */
  readonly since: string;
  /** A model and who served it, as recorded. Default of the provider is the vendor whose model it is. */
  readonly model: string;
  readonly provider: string;
  /** The instant of a call, in ISO 8601. Default is now. */
  readonly at: string;
  /** How many tokens a call read. Default is 0. */
  readonly contextTokens: number;
  /** What kind of file an export is. */
  readonly format: ExportFormat;
  /** `strict` removes what is found, but for what is kept; `none` looks for nothing. Default is `strict`. */
  readonly redact: "strict" | "none";
  /** Findings that stay, by the ids of the review: `api-key-3`, and `home-folder-1..40` for all from the first number to the last. Default is none. */
  readonly keep: readonly string[];
  /** Of the review whose findings are kept: an answer of another one is refused. */
  readonly revision: string;
  /**
   * `"due"` for sources whose tool deletes sessions by itself; of a session that is exported a part: what failed, a turn by its number, a
   * sub-agent, a step by the id of an envelope of it. Default is all.
   */
  readonly only: "due" | "errors" | `${"turn" | "agent" | "step"}:${string}`;
}

export type ParameterName = keyof ParameterValues;

export interface Endpoint {
  /** Below the mount, with the names of parameters in braces. */
  readonly path: `/${string}`;
  readonly required: readonly ParameterName[];
  readonly optional: readonly ParameterName[];
  /** The values of optional parameters that are not given. */
  readonly defaults?: Partial<ParameterValues>;
  readonly answer: AnswerForm;
  readonly use: keyof InspectorUseCases;
}

/** A document, or a file of any type, streamed. */
export type AnswerForm = DocumentForm | { readonly kind: "file" };

/**
 * - `list`: streamed, with a revision. - `revised`: in one piece, with a revision. - `value`: in one piece, and asked for anew each time.
 */
export interface DocumentForm {
  readonly kind: "list" | "revised" | "value";
  /** The member of the answer without which it is none; of a list its array. */
  readonly member: string;
}

/** A use case gives a list as text, so the table says what the text is of. */
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
 * The API, an endpoint a row, by the ids that `docs/openapi.yaml` gives them: its routes, the client, the parameters of both and
 * the check of that document are made of it. Browsers load it, so it imports nothing but types.
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

/** What an endpoint is asked with. */
export type QueryOf<Id extends EndpointId> = Requires<Id> & {
  readonly [Name in keyof Allows<Id>]?: Allows<Id>[Name] | undefined;
};

/** The same with its defaults. */
export type ValuesOf<Id extends EndpointId> = QueryOf<Id> &
  Pick<ParameterValues, Default<Id> & ParameterName>;

type UseCaseOf<Id extends EndpointId> = InspectorUseCases[Row<Id>["use"]]["execute"];

/** What its use case is asked with. */
export type RequestOf<Id extends EndpointId> = Parameters<UseCaseOf<Id>>[0];

/** The document that it answers with. */
export type AnswerOf<Id extends EndpointId> =
  Row<Id>["answer"] extends ListForm<infer List> ? List : BodyOf<Awaited<ReturnType<UseCaseOf<Id>>>>;

type BodyOf<Answer> = Answer extends UnchangedList
  ? never
  : Answer extends RevisedAnswer<infer Value>
    ? Value
    : Answer;

interface Page {
  /** Of an answer to a request with `limit`: the `cursor` of the next page, `null` behind the last one. */
  readonly nextCursor?: string | null;
}

/** Of an answer to a request with `since`. */
interface Growth {
  /** How many of the records that were known begin the list. */
  readonly from?: number;
  /** The `since` of the next request. */
  readonly syncToken?: string | null;
}

interface Warned {
  readonly warnings?: readonly RecordWarning[];
}

/** The lists as documents, by the names of their schemas in `docs/openapi.yaml`. */
interface SessionList extends Page, Warned {
  readonly sessions: readonly InspectorSessionItem[];
  /** Of a page: how many sessions the tenants have, and how many of them were not read yet; where the service knows. */
  readonly total?: number;
  readonly unread?: number;
  /** Of a list with a `filter`: how many sessions were left out because it is not known whether it means them. Absent where there are none. */
  readonly undecided?: number;
}

interface TraceEnvelopeList extends Page, Growth, Warned {
  readonly envelopes: readonly WorkflowTraceEventEnvelope[];
  /** Envelopes that are known and not sent again: where they lay, where they lie now, and the `sequence` of the first one. */
  readonly moved?: {
    readonly from: number;
    readonly count: number;
    readonly to: number;
    readonly sequence: number;
  };
}

interface AgentList extends Growth, Warned {
  readonly agents: readonly OrchestrationAgent[];
}

interface MessageList extends Page, Growth, Warned {
  readonly messages: readonly Message[];
  /** Where model calls lie among these messages, and what was taken away there. Absent where the source does not say. */
  readonly outline?: ConversationOutline;
}
