import type { SessionRef } from "../model/address.js";
import type { PageSearch } from "../model/search.js";

/** The filters of the session list. An empty text filters nothing. */
export interface SessionFilters {
  readonly tenantId: string;
  readonly userId: string;
  readonly status: string;
  readonly q: string;
  /** One of several sources, by its name or key. */
  readonly source: string;
}

/** The addresses of the API, from its base: `http://host/__inspector`, without a slash at its end. */
export function sessionsAddress(base: string, query: SessionFilters, limit: number, cursor?: string): string {
  return `${base}/sessions${queryText({ ...query, limit: String(limit), cursor: cursor ?? "" })}`;
}

/** @param cursor the `nextCursor` of the answer before; `undefined` begins the search */
export function searchAddress(
  base: string,
  { q, kinds, tenantId, sessionId }: PageSearch,
  limit: number,
  cursor?: string,
): string {
  const of = { q, tenantId, sessionId, in: kinds.join(","), limit: String(limit), cursor: cursor ?? "" };
  return `${base}/search${queryText(of)}`;
}

/** The lists that the API has of each session. */
export type SessionResource = "trace" | "messages" | "orchestration";

/** The member of the answer that holds the records. */
export const RESOURCE_MEMBERS: { readonly [resource in SessionResource]: string } = {
  trace: "envelopes",
  messages: "messages",
  orchestration: "agents",
};

/** @param agentId a sub-agent, for its own messages; `""` for the session's main agent */
export function sessionResourceAddress(
  base: string,
  session: SessionRef,
  resource: SessionResource,
  agentId = "",
): string {
  const { tenantId, sessionId } = session;
  return `${base}/sessions/${encodeURIComponent(sessionId)}/${resource}${queryText({ tenantId, agentId })}`;
}

export function sessionSummaryAddress(base: string, { tenantId, sessionId }: SessionRef): string {
  return `${base}/sessions/${encodeURIComponent(sessionId)}/summary${queryText({ tenantId })}`;
}

/** @param syncToken of the answer before; `""` for the whole list */
export function followingAddress(list: string, syncToken: string): string {
  return `${list}${list.includes("?") ? "&" : "?"}since=${encodeURIComponent(syncToken)}`;
}

/** The entry of the session list for one session. */
export function sessionAddress(base: string, { tenantId, sessionId }: SessionRef): string {
  return `${base}/sessions${queryText({ tenantId, sessionId })}`;
}

/** Two sessions side by side. */
export function comparisonAddress(base: string, one: SessionRef, other: SessionRef): string {
  const { tenantId, sessionId } = one;
  const of = { tenantId, sessionId, otherTenantId: other.tenantId, otherSessionId: other.sessionId };
  return `${base}/compare${queryText(of)}`;
}

function queryText(query: { readonly [name: string]: string }): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return text === "" ? "" : `?${text}`;
}
