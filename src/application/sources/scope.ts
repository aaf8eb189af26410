import type { InspectorSessionItem } from "../../domain/session/session.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import type { InspectorDataSource, SessionPage, SessionSearch } from "../ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../ports/record-search.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionSource } from "../ports/session-source.js";

import { asDataSource, lift } from "./lift.js";
import { listCandidates } from "./select-sessions.js";
import { surveysInScope } from "./source-surveys.js";

/**
 * `"all"`, or the visible tenants, compared exactly, including capitals; an empty list makes nothing visible. `"default"` is the tenant
 * of a request without a tenant.
 */
export type TenantScope = "all" | readonly string[];

export interface InspectorAccess {
  readonly tenants: TenantScope;
}

/** @throws TypeError for an invalid scope, so that a mistake shows nothing rather than everything */
export function checkScope(tenants: unknown): asserts tenants is TenantScope {
  const isList = Array.isArray(tenants) && tenants.every((tenant) => typeof tenant === "string");
  if (tenants !== "all" && !isList) {
    throw new TypeError('tenants must be "all" or an array of tenant ids.');
  }
}

/** Unique for the scope: an unchanged list of one caller says nothing to another. */
export function revisionInScope(tenants: TenantScope, revision: string): string {
  if (tenants === "all") return revision;
  return `${longFingerprint(JSON.stringify([...new Set(tenants)].sort()))}.${revision}`;
}

/**
 * Restricts a source to the sessions of some tenants: its lists omit all others, which cannot be opened, and its revisions differ from
 * those of any other scope. It has nothing to close: the original source belongs to its owner.
 * @throws TypeError if `source` is not a data source, and if `tenants` is neither `"all"` nor an array of texts
 * @example
 * const source = scopeToTenants(createFilesystemInspectorDataSource("../data"), ["acme"]);
 */
export function scopeToTenants(source: InspectorDataSource, tenants: TenantScope): InspectorDataSource {
  const scoped = scope(lift(source), tenants);
  if (tenants === "all") return source;
  const { sourceNamed } = source;
  if (sourceNamed === undefined) return asDataSource(scoped);
  const own = [...tenants];
  return {
    ...asDataSource(scoped),
    async sourceNamed(name) {
      const named = await sourceNamed.call(source, name);
      return named && scopeToTenants(named, own);
    },
  };
}

/** The internal form of {@link scopeToTenants}. */
export function scope(source: SessionSource, tenants: TenantScope): SessionSource {
  checkScope(tenants);
  if (tenants === "all") return source;
  const own = new Set(tenants);
  const inScope = (revision: string | undefined) =>
    revision === undefined ? undefined : revisionInScope([...own], revision);
  const scoped: SessionSource = {
    get capabilities() {
      return source.capabilities;
    },
    async openSession(tenantId, sessionId, options) {
      const opened = own.has(tenantId) ? await source.openSession(tenantId, sessionId, options) : undefined;
      return opened && withRevision(opened, inScope(opened.revision));
    },
    findSessions: (search, options) => findInScope(source, search, own, options),
    // Counts of a list in the scope are safe; counts of a source's records may reveal other tenants.
    findCandidates: (search, options) =>
      source.capabilities.searchesRecords
        ? searchInScope(source, search, own, options)
        : listCandidates(scoped, search, options),
    revision: async (options) => inScope(await source.revision(options)),
    async survey(request, options) {
      const tenants = [...wantedTenants(request, own)];
      return tenants.length === 0
        ? []
        : surveysInScope(await source.survey({ ...request, tenants }, options), tenants);
    },
  };
  return scoped;
}

function withRevision(snapshot: SessionSnapshot, revision: string | undefined): SessionSnapshot {
  return {
    revision,
    trace: () => snapshot.trace(),
    messages: (agentId) => snapshot.messages(agentId),
    orchestration: () => snapshot.orchestration(),
    analyse: snapshot.analyse && ((...where) => snapshot.analyse!(...where)),
    begin: snapshot.begin,
  };
}

/** A source that ignores `tenants` also returns sessions of other tenants, so several pages may be necessary. */
async function findInScope(
  source: SessionSource,
  search: SessionSearch,
  scope: ReadonlySet<string>,
  options?: ReadOptions,
): Promise<SessionPage> {
  const wanted = wantedTenants(search, scope);
  if (wanted.size === 0) return { items: [] };
  const narrowed = narrowedTo(wanted, search);
  const { limit = Number.POSITIVE_INFINITY } = search;
  let items: InspectorSessionItem[] = [];
  for (let { after } = search; ; ) {
    const { items: page } = await source.findSessions({ ...narrowed, after }, options);
    items = items.concat(page.filter(({ tenantId }) => wanted.has(tenantId)));
    if (items.length >= limit || page.length < limit) return { items: items.slice(0, limit) };
    options?.signal?.throwIfAborted();
    after = page.at(-1);
  }
}

/** The source's totals and its warnings about unreadable records may also concern other tenants. */
async function searchInScope(
  source: SessionSource,
  search: RecordSearch,
  scope: ReadonlySet<string>,
  options?: ReadOptions,
): Promise<RecordSearchPage> {
  const wanted = wantedTenants(search, scope);
  if (wanted.size === 0) return { candidates: [], next: undefined, searched: {}, total: {} };
  const narrowed = narrowedTo(wanted, search);
  const { candidates, next, notes = [] } = await source.findCandidates(narrowed, options);
  return {
    candidates: candidates
      .filter(({ tenantId }) => wanted.has(tenantId))
      .map((candidate) => ({ ...candidate, before: {} })),
    next,
    searched: {},
    total: {},
    ...(notes.length === 0 ? {} : { notes: [NOTE] }),
  };
}

const NOTE = "The data source could not look at everything, or not with an index.";

function narrowedTo<Search extends TenantSearch>(wanted: ReadonlySet<string>, search: Search): Search {
  const [one] = wanted;
  return wanted.size === 1
    ? { ...search, tenantId: one, tenants: undefined }
    : { ...search, tenants: [...wanted] };
}

type TenantSearch = Pick<SessionSearch, "tenantId" | "tenants">;

function wantedTenants({ tenantId, tenants }: TenantSearch, scope: ReadonlySet<string>): Set<string> {
  const requested = tenants === undefined ? scope : new Set(tenants);
  return new Set(
    [...requested].filter((tenant) => scope.has(tenant) && (tenantId === undefined || tenant === tenantId)),
  );
}
