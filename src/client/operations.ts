import type { ContentKind } from "../domain/search/search-query.js";
import type { SessionStatus } from "../domain/session/session.js";

/** A page of a list. Without `limit` a list comes whole. */
export interface PageQuery {
  /** How many elements the page has at most: from 1 to 1000. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** Filters of the session list, which narrow it together. */
export interface SessionListQuery extends PageQuery {
  readonly tenantId?: string | undefined;
  /** Only this session, of the tenant that is named or of `default`. */
  readonly sessionId?: string | undefined;
  /** `""` for sessions without a user. */
  readonly userId?: string | undefined;
  readonly status?: SessionStatus | undefined;
  /** A text in the id, the user or the title, whatever its case. */
  readonly q?: string | undefined;
  /** The name or the key of one of several sources. */
  readonly source?: string | undefined;
}

/** One session. */
export interface SessionOfTenant {
  readonly sessionId: string;
  /** Default is `"default"`. */
  readonly tenantId?: string | undefined;
}

/** What a list of a session is asked for after an answer that is known. */
export interface SinceQuery {
  /**
   * The `syncToken` of the last answer, `""` for a first one. The answer says in `from` how many of the records that are known begin
   * the list, and holds those behind them. Not together with `limit` or `cursor`.
   */
  readonly since?: string | undefined;
}

export type SessionRecordsQuery = SessionOfTenant & PageQuery & SinceQuery;
/** Of a session, or of one of its sub-agents. */
export type SessionMessagesQuery = SessionRecordsQuery & { readonly agentId?: string | undefined };
export type SessionAgentsQuery = SessionOfTenant & SinceQuery;

/** Two sessions. */
export interface CompareSessionsQuery {
  readonly sessionId: string;
  /** Default is `"default"`, as of the other one. */
  readonly tenantId?: string | undefined;
  readonly otherSessionId: string;
  readonly otherTenantId?: string | undefined;
}

/** A model call, by the id of an envelope of it, or of a step that it asked for. */
export interface CallContextQuery extends SessionOfTenant, PageQuery {
  readonly call: string;
}

/** A message that a model call saw, as the call's context names it. */
export interface MessageProvenanceQuery extends SessionOfTenant {
  readonly call: string;
  /** Its `index`. */
  readonly message: number;
  /** Its `item`, where it has one. */
  readonly item?: number | undefined;
}

/** What to look for, and where. */
export interface SearchRecordsQuery extends PageQuery {
  /** A text, a text in double quotes for exactly that case, or `re:` and a regular expression of RE2's syntax. */
  readonly q: string;
  readonly tenantId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Which texts are looked at. Default is all but `other`. */
  readonly in?: readonly ContentKind[] | undefined;
}

interface Operation<Query> {
  /** Below the mount, with the names of parameters in braces. */
  readonly path: string;
  readonly parameters: readonly (keyof Query)[];
  /** The member of the answer without which it is none. */
  readonly member: string;
  /** Whether the answer may have an entity tag. */
  readonly isTagged: boolean;
}

const PAGE = ["limit", "cursor"] as const;
const ONE_SESSION = ["sessionId", "tenantId"] as const;

/** The API's operations, by the ids that `docs/openapi.yaml` gives them. */
export const OPERATIONS = {
  listSessions: {
    path: "/sessions",
    parameters: ["tenantId", "sessionId", "userId", "status", "q", "source", ...PAGE],
    member: "sessions",
    isTagged: true,
  } satisfies Operation<SessionListQuery>,
  getSessionTrace: {
    path: "/sessions/{sessionId}/trace",
    parameters: [...ONE_SESSION, ...PAGE, "since"],
    member: "envelopes",
    isTagged: true,
  } satisfies Operation<SessionRecordsQuery>,
  getSessionOrchestration: {
    path: "/sessions/{sessionId}/orchestration",
    parameters: [...ONE_SESSION, "since"],
    member: "agents",
    isTagged: true,
  } satisfies Operation<SessionAgentsQuery>,
  getSessionMessages: {
    path: "/sessions/{sessionId}/messages",
    parameters: [...ONE_SESSION, "agentId", ...PAGE, "since"],
    member: "messages",
    isTagged: true,
  } satisfies Operation<SessionMessagesQuery>,
  getSessionSummary: {
    path: "/sessions/{sessionId}/summary",
    parameters: ONE_SESSION,
    member: "counts",
    isTagged: true,
  } satisfies Operation<SessionOfTenant>,
  compareSessions: {
    path: "/compare",
    parameters: ["sessionId", "tenantId", "otherSessionId", "otherTenantId"],
    member: "sessions",
    isTagged: false,
  } satisfies Operation<CompareSessionsQuery>,
  getCallContext: {
    path: "/sessions/{sessionId}/context",
    parameters: [...ONE_SESSION, "call", ...PAGE],
    member: "call",
    isTagged: false,
  } satisfies Operation<CallContextQuery>,
  getMessageProvenance: {
    path: "/sessions/{sessionId}/provenance",
    parameters: [...ONE_SESSION, "call", "message", "item"],
    member: "source",
    isTagged: false,
  } satisfies Operation<MessageProvenanceQuery>,
  searchRecords: {
    path: "/search",
    parameters: ["q", "tenantId", "sessionId", "in", ...PAGE],
    member: "hits",
    isTagged: false,
  } satisfies Operation<SearchRecordsQuery>,
  checkHealth: {
    path: "/health",
    parameters: [],
    member: "status",
    isTagged: false,
  } satisfies Operation<object>,
} as const;

/**
 * The address of an operation, with its parameters in the path or in the query.
 *
 * @param base where the inspector is mounted, without a slash at its end
 */
export function addressOf(base: string, operation: Operation<never>, query: object): string {
  let { path } = operation;
  const parameters = new URLSearchParams();
  for (const name of operation.parameters as readonly string[]) {
    const value: unknown = Reflect.get(query, name);
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, () => encodeURIComponent(String(value)));
    else if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? base + path : `${base}${path}?${parameters}`;
}
