import { InvalidRequestError } from "../../application/errors.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { ComparisonRequest } from "../../application/questions/compare-sessions.js";
import type { CallContextRequest } from "../../application/questions/get-call-context.js";
import type { ProvenanceRequest } from "../../application/questions/get-message-provenance.js";
import type { MessagesRequest } from "../../application/questions/get-session-messages.js";
import type { SessionQuery } from "../../application/questions/list-sessions.js";
import { MAX_LIMIT, type SessionRequest, type Window } from "../../application/questions/window.js";
import type { SearchRequest } from "../../application/search/search-answer.js";
import type { TenantScope } from "../../application/sources/scope.js";
import {
  CONTENT_KINDS,
  type ContentKind,
  DEFAULT_KINDS,
  parseSearchQuery,
  type SearchQuery,
} from "../../domain/search/search-query.js";
import { idProblem } from "../../domain/session/ids.js";
import type { SessionStatus } from "../../domain/session/session.js";

const DEFAULT_TENANT = "default";

const STATUSES: readonly SessionStatus[] = ["idle", "running", "error"];

/**
 * The values of each parameter, as Hono decodes them: a reading of our own could differ from that of a guard in front of us.
 */
export type Query = Readonly<Record<string, readonly string[]>>;

export function parseSessionRequest(sessionId: string, query: Query, tenants: TenantScope): SessionRequest {
  return {
    tenants,
    sessionId: checkId("sessionId", sessionId),
    tenantId: checkId("tenantId", parameterOf(query, "tenantId") ?? DEFAULT_TENANT),
    window: parseListWindow(query),
  };
}

export function parseMessagesRequest(sessionId: string, query: Query, tenants: TenantScope): MessagesRequest {
  const agentId = parameterOf(query, "agentId");
  if (agentId === "") throw new InvalidRequestError("agentId", "must not be empty.");
  return { ...parseSessionRequest(sessionId, query, tenants), agentId };
}

export function parseContextRequest(
  sessionId: string,
  query: Query,
  tenants: TenantScope,
): CallContextRequest {
  const call = parameterOf(query, "call") ?? "";
  if (call === "") throw new InvalidRequestError("call", "must be the id of an envelope of the trace.");
  return { ...parseSessionRequest(sessionId, query, tenants), window: parseWindow(query), call };
}

export function parseProvenanceRequest(
  sessionId: string,
  query: Query,
  tenants: TenantScope,
): ProvenanceRequest {
  const { window: _, ...request } = parseContextRequest(sessionId, query, tenants);
  const index = parsePlace(query, "message");
  if (index === undefined)
    throw new InvalidRequestError("message", "must be the `index` of a message that the call saw.");
  return { ...request, message: { index, item: parsePlace(query, "item") } };
}

function parsePlace(query: Query, parameter: string): number | undefined {
  const place = parameterOf(query, parameter);
  if (place === undefined) return undefined;
  if (!/^\d{1,9}$/.test(place))
    throw new InvalidRequestError(parameter, "must be an integer from 0 to 999999999.");
  return Number(place);
}

export function parseSessionQuery(query: Query, tenants: TenantScope): SessionQuery {
  return {
    tenants,
    ...parseOwner(query),
    userId: parameterOf(query, "userId"),
    status: parseStatus(parameterOf(query, "status")),
    text: parameterOf(query, "q") || undefined,
    source: parameterOf(query, "source"),
    window: parseWindow(query),
  };
}

export function parseComparison(query: Query, tenants: TenantScope): ComparisonRequest {
  const key = (sessionName: string, tenantName: string): SessionKey => ({
    tenantId: checkId(tenantName, parameterOf(query, tenantName) ?? DEFAULT_TENANT),
    sessionId: checkId(sessionName, parameterOf(query, sessionName) ?? ""),
  });
  return { tenants, sessions: [key("sessionId", "tenantId"), key("otherSessionId", "otherTenantId")] };
}

/** The most characters of a search, and how many hits an answer has at most unless told. */
const MOST_OF_SEARCH = 1_000;
const DEFAULT_HITS = 100;

export function parseSearchRequest(query: Query, tenants: TenantScope): SearchRequest {
  const { limit = DEFAULT_HITS, cursor } = parseWindow(query);
  return {
    tenants,
    query: parseSearch(parameterOf(query, "q") ?? ""),
    ...parseOwner(query),
    kinds: parseKinds(parameterOf(query, "in")),
    limit,
    cursor,
  };
}

/** Which session is meant, or which tenant's. A session that is named without its tenant is one of the default tenant. */
function parseOwner(query: Query): Partial<SessionKey> {
  const sessionId = parameterOf(query, "sessionId");
  const tenantId = parameterOf(query, "tenantId") ?? (sessionId === undefined ? undefined : DEFAULT_TENANT);
  return {
    ...(sessionId === undefined ? {} : { sessionId: checkId("sessionId", sessionId) }),
    ...(tenantId === undefined ? {} : { tenantId: checkId("tenantId", tenantId) }),
  };
}

function parseSearch(typed: string): SearchQuery {
  const search = typed.length > MOST_OF_SEARCH ? undefined : parseSearchQuery(typed);
  if (search === undefined) {
    throw new InvalidRequestError("q", `must be what to look for, with 1 to ${MOST_OF_SEARCH} characters.`);
  }
  return search;
}

function parseKinds(kinds: string | undefined): readonly ContentKind[] {
  if (kinds === undefined) return DEFAULT_KINDS;
  return kinds.split(",").map((name) => {
    const kind = CONTENT_KINDS.find((known) => known === name);
    if (kind === undefined) {
      throw new InvalidRequestError(
        "in",
        `must be some of ${CONTENT_KINDS.join(", ")}, with commas between them.`,
      );
    }
    return kind;
  });
}

function parseWindow(query: Query): Window {
  return { limit: parseLimit(parameterOf(query, "limit")), cursor: parameterOf(query, "cursor") };
}

/** What came after an earlier answer has no pages. */
function parseListWindow(query: Query): Window {
  const window = parseWindow(query);
  const since = parameterOf(query, "since");
  if (since === undefined) return window;
  if (window.limit !== undefined || window.cursor !== undefined) {
    throw new InvalidRequestError("since", "cannot be given together with limit or cursor.");
  }
  return { since };
}

function parseLimit(limit: string | undefined): number | undefined {
  if (limit === undefined) return undefined;
  const value = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (value < 1 || value > MAX_LIMIT) {
    throw new InvalidRequestError("limit", `must be an integer from 1 to ${MAX_LIMIT}.`);
  }
  return value;
}

function parseStatus(status: string | undefined): SessionStatus | undefined {
  if (status === undefined) return undefined;
  const known = STATUSES.find((candidate) => candidate === status);
  if (known === undefined) throw new InvalidRequestError("status", `must be one of ${STATUSES.join(", ")}.`);
  return known;
}

/** @throws InvalidRequestError for a parameter that is given more than once, however its name is encoded */
function parameterOf(query: Query, parameter: string): string | undefined {
  const [value, ...others] = query[parameter] ?? [];
  if (others.length > 0) throw new InvalidRequestError(parameter, "must be given once.");
  return value;
}

function checkId(parameter: string, id: string): string {
  const problem = idProblem(id);
  if (problem !== undefined) throw new InvalidRequestError(parameter, `${problem}.`);
  return id;
}
