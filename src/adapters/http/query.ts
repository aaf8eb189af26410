import { InvalidRequestError } from "../../application/errors.js";
import type { TenantScope } from "../../application/inspector-access.js";
import type { SessionQuery } from "../../application/list-sessions.js";
import type { SessionRequest } from "../../application/open-session.js";
import { MAX_LIMIT, type Window } from "../../application/window.js";
import { idProblem } from "../../domain/ids.js";
import type { SessionStatus } from "../../domain/session.js";

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
    window: parseWindow(query),
  };
}

export function parseSessionQuery(query: Query, tenants: TenantScope): SessionQuery {
  const tenantId = parameterOf(query, "tenantId");
  return {
    tenants,
    tenantId: tenantId === undefined ? undefined : checkId("tenantId", tenantId),
    userId: parameterOf(query, "userId"),
    status: parseStatus(parameterOf(query, "status")),
    text: parameterOf(query, "q") || undefined,
    window: parseWindow(query),
  };
}

function parseWindow(query: Query): Window {
  return { limit: parseLimit(parameterOf(query, "limit")), cursor: parameterOf(query, "cursor") };
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
