import { DEFAULT_KINDS, parseSearchQuery } from "../../domain/search/search-query.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { InvalidRequestError } from "../errors.js";
import { findingsNamed } from "../export/findings-named.js";
import type { Window } from "../listing/window.js";
import type { TenantScope } from "../sources/scope.js";
import { ENDPOINTS, type Endpoint, type EndpointId, type RequestOf, type ValuesOf } from "./endpoints.js";
import type { ParameterName, ParameterValues } from "./parameter-values.js";
import { parameterOf, valueOfText } from "./parameters.js";

export type ParameterTexts = Readonly<Record<string, readonly string[]>>;

interface Scoped {
  readonly tenants: TenantScope;
}

const WINDOW = ["limit", "cursor", "since"] as const;

type PlainRequest<Id extends EndpointId> = Scoped &
  Omit<ValuesOf<Id>, (typeof WINDOW)[number]> & { readonly window: Window };

type OtherId = {
  [Id in EndpointId]: PlainRequest<Id> extends RequestOf<Id>
    ? keyof PlainRequest<Id> extends keyof NonNullable<RequestOf<Id>>
      ? never
      : Id
    : Id;
}[EndpointId];

const OTHER_REQUESTS: { readonly [Id in OtherId]: (values: ValuesOf<Id> & Scoped) => RequestOf<Id> } = {
  listSessions: ({ q, limit, cursor, ...filters }) => ({
    ...filters,
    ...ownerOf(filters),
    text: q || undefined,
    window: { limit, cursor },
  }),
  compareSessions: ({ tenants, sessionId, tenantId, otherSessionId, otherTenantId, row, limit }) => ({
    tenants,
    row,
    limit,
    sessions: [
      { tenantId, sessionId },
      { tenantId: otherTenantId, sessionId: otherSessionId },
    ],
  }),
  exportSession({ sessionId, tenantId, otherSessionId, otherTenantId, keep, ...rest }) {
    const other =
      otherSessionId === undefined ? [] : [{ tenantId: otherTenantId, sessionId: otherSessionId }];
    const sessions = [{ tenantId, sessionId }, ...other];
    return { ...rest, sessions, keep: keep && findingsNamed(keep) };
  },
  reviewExport: ({ sessionId, tenantId, ...rest }) => ({ ...rest, sessions: [{ tenantId, sessionId }] }),
  getMessageProvenance: ({ message, item, ...call }) => ({ ...call, message: { index: message, item } }),
  explainLines: (values) => ({ ...values, ...ownerOf(values) }),
  searchRecords: ({ q, in: kinds = DEFAULT_KINDS, ...rest }) => ({
    ...rest,
    ...ownerOf(rest),
    query: parseSearchQuery(q)!,
    kinds,
  }),
  searchSessions: ({ q, in: kinds = DEFAULT_KINDS, ...rest }) => ({
    ...rest,
    query: parseSearchQuery(q)!,
    kinds,
  }),
  getOverview: (values) => values,
  listSources: ({ only, ...rest }) => ({ ...rest, only: only === "due" ? only : undefined }),
  describeModel: ({ tenants: _, ...values }) => values,
  checkHealth: () => undefined,
};

/**
 * Ignores parameters that the endpoint does not take.
 * @throws InvalidRequestError for an invalid value, a missing parameter, and a parameter that occurs more than once
 */
export function requestOf<Id extends EndpointId>(
  id: Id,
  texts: ParameterTexts,
  tenants: TenantScope,
): RequestOf<Id> {
  const { path, required, optional, defaults }: Endpoint = ENDPOINTS[id];
  const names = new Set([...required, ...optional, ...(path.includes("{sessionId}") ? WINDOW : [])]);
  const input: Partial<ParameterValues> = Object.fromEntries(
    [...names].flatMap((name) => {
      const value = parsedValueOf(id, name, texts[name], required.includes(name));
      return value === undefined ? [] : [[name, value]];
    }),
  );
  if (input.since !== undefined && (input.limit ?? input.cursor) !== undefined) {
    throw new InvalidRequestError("since", "cannot be combined with limit or cursor.");
  }
  const values = { ...defaults, ...input, tenants };
  const make = id in OTHER_REQUESTS ? OTHER_REQUESTS[id as OtherId] : plainRequest;
  return (make as (values: object) => RequestOf<Id>)(values);
}

function plainRequest({ limit, cursor, since, ...values }: Partial<ParameterValues> & Scoped): object {
  return { ...values, window: { limit, cursor, since } };
}

function parsedValueOf(
  id: EndpointId,
  name: ParameterName,
  [text, ...others]: readonly string[] = [],
  isRequired: boolean,
): unknown {
  if (others.length > 0) throw new InvalidRequestError(name, "must occur once.");
  if (text === undefined && !isRequired) return undefined;
  const parameter = parameterOf(id, name);
  const value = text === undefined ? undefined : valueOfText(parameter, text);
  const problem = parameter.problemOf(value);
  if (problem !== undefined) throw new InvalidRequestError(name, problem);
  return value;
}

export function ownerOf({
  tenantId,
  sessionId,
}: { readonly [Name in keyof SessionKey]?: string | undefined }) {
  return { sessionId, tenantId: tenantId ?? (sessionId === undefined ? undefined : "default") };
}
