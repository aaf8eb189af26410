import { InvalidRequestError } from "../../application/errors.js";
import type { SessionQuery } from "../../application/list-sessions.js";
import type { SessionRequest } from "../../application/open-session.js";
import { MAX_LIMIT, type Window } from "../../application/window.js";
import { idProblem } from "../../domain/ids.js";
import type { SessionStatus } from "../../domain/session.js";

const DEFAULT_TENANT = "default";

const STATUSES: readonly SessionStatus[] = ["idle", "running", "error"];

export function parseSessionRequest(sessionId: string, query: URLSearchParams): SessionRequest {
  return {
    sessionId: checkId("sessionId", sessionId),
    tenantId: checkId("tenantId", query.get("tenantId") ?? DEFAULT_TENANT),
    window: parseWindow(query),
  };
}

export function parseSessionQuery(query: URLSearchParams): SessionQuery {
  const tenantId = query.get("tenantId");
  return {
    tenantId: tenantId === null ? undefined : checkId("tenantId", tenantId),
    userId: query.get("userId") ?? undefined,
    status: parseStatus(query.get("status")),
    text: query.get("q") || undefined,
    window: parseWindow(query),
  };
}

function parseWindow(query: URLSearchParams): Window {
  return { limit: parseLimit(query.get("limit")), cursor: query.get("cursor") ?? undefined };
}

function parseLimit(limit: string | null): number | undefined {
  if (limit === null) return undefined;
  const value = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (value < 1 || value > MAX_LIMIT) {
    throw new InvalidRequestError("limit", `must be an integer from 1 to ${MAX_LIMIT}.`);
  }
  return value;
}

function parseStatus(status: string | null): SessionStatus | undefined {
  if (status === null) return undefined;
  const known = STATUSES.find((candidate) => candidate === status);
  if (known === undefined) throw new InvalidRequestError("status", `must be one of ${STATUSES.join(", ")}.`);
  return known;
}

function checkId(parameter: string, id: string): string {
  const problem = idProblem(id);
  if (problem !== undefined) throw new InvalidRequestError(parameter, `${problem}.`);
  return id;
}
