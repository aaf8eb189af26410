import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";

/** How a combination names the tenants that a suite knows by plain names. */
export interface TenantNames {
  /** It keeps the order of names. */
  readonly combined: (tenantId: string) => string;
  readonly plain: (tenantId: string) => string;
}

/** Tenants before `b` are of the source `a`, all others of `b`. */
export const IN_A_AND_B: TenantNames = {
  combined: (tenantId) => `${tenantId < "b" ? "a" : "b"}:${tenantId}`,
  plain: (tenantId) => tenantId.slice(2),
};

/** A combination in the place of one source: for suites that know the tenants of their sessions by other names. */
export function withPlainTenants(
  source: InspectorDataSource,
  { combined, plain }: TenantNames,
): InspectorDataSource {
  const withPlain = <Of extends { readonly tenantId: string }>(one: Of): Of => ({
    ...one,
    tenantId: plain(one.tenantId),
  });
  const withCombined = <
    Of extends { tenantId?: string | undefined; tenants?: readonly string[] | undefined },
  >(
    search: Of,
  ): Of => ({
    ...search,
    ...(search.tenantId === undefined ? {} : { tenantId: combined(search.tenantId) }),
    ...(search.tenants === undefined ? {} : { tenants: search.tenants.map(combined) }),
  });
  return {
    listSessions: async (options) =>
      (await source.listSessions(options)).map(withPlain<InspectorSessionItem>),
    loadTraceEnvelopes: (tenantId, ...rest) => source.loadTraceEnvelopes(combined(tenantId), ...rest),
    loadOrchestrationEvents: (tenantId, ...rest) =>
      source.loadOrchestrationEvents(combined(tenantId), ...rest),
    loadOrchestrationState: (tenantId, ...rest) => source.loadOrchestrationState(combined(tenantId), ...rest),
    loadMessages: (tenantId, ...rest) => source.loadMessages(combined(tenantId), ...rest),
    openSession: async (tenantId, ...rest) => source.openSession?.(combined(tenantId), ...rest),
    async findSessions({ after, ...search }, options) {
      const place = after && withCombined(after);
      const page = (await source.findSessions?.({ ...withCombined(search), after: place }, options))!;
      return { ...page, items: page.items.map(withPlain<InspectorSessionItem>) };
    },
    async searchRecords(search, options) {
      const page = (await source.searchRecords?.(withCombined(search), options))!;
      return { ...page, candidates: page.candidates.map(withPlain) };
    },
    revision: async (options) => source.revision?.(options),
    close: async () => source.close?.(),
  };
}
