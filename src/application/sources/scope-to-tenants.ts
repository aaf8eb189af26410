import type { InspectorSessionItem } from "../../domain/session/session.js";
import {
  DATA_SOURCE,
  type InspectorDataSource,
  type SessionPage,
  type SessionSearch,
} from "../ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../ports/record-search.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { runInSlices } from "../threads/slices.js";
import { checkedList, checkedRevision, checkedSearchPage } from "./checked-snapshot.js";
import { checkScope, revisionInScope, type TenantScope } from "./inspector-access.js";
import { snapshotOfLists } from "./open-session.js";

/**
 * A source that holds the sessions of some tenants only, whatever the source around it holds: every other one is absent from
 * its lists and cannot be opened, and its revisions differ from those of any other scope. It has nothing to close: the
 * source around it stays its owner's.
 *
 * @throws TypeError where `source` is no data source, and where `tenants` is neither `"all"` nor an array of texts
 *
 * @example
 * const source = scopeToTenants(createFilesystemInspectorDataSource("../data"), ["acme"]);
 */
export function scopeToTenants(source: InspectorDataSource, tenants: TenantScope): InspectorDataSource {
  const error = DATA_SOURCE("source", source);
  if (error !== undefined) throw error;
  checkScope(tenants);
  return tenants === "all" ? source : scopedSource(source, new Set(tenants));
}

function scopedSource(source: InspectorDataSource, tenants: ReadonlySet<string>): InspectorDataSource {
  const inScope = (given: string | undefined) => {
    const revision = checkedRevision(given);
    return revision === undefined ? undefined : revisionInScope([...tenants], revision);
  };
  const scoped: InspectorDataSource = {
    listSessions: async (options) =>
      runInSlices(
        sessionsOf(tenants, checkedList(await source.listSessions(options), "listSessions")),
        options?.signal,
      ),
    loadTraceEnvelopes: async (tenantId, ...rest) =>
      tenants.has(tenantId) ? source.loadTraceEnvelopes(tenantId, ...rest) : [],
    loadOrchestrationEvents: async (tenantId, ...rest) =>
      tenants.has(tenantId) ? source.loadOrchestrationEvents(tenantId, ...rest) : [],
    loadOrchestrationState: async (tenantId, ...rest) =>
      tenants.has(tenantId) ? source.loadOrchestrationState(tenantId, ...rest) : null,
    loadMessages: async (tenantId, ...rest) =>
      tenants.has(tenantId) ? source.loadMessages(tenantId, ...rest) : [],
    // Also where the source has none: a session outside of the scope is absent, not empty.
    openSession: async (tenantId, sessionId, options) => {
      if (!tenants.has(tenantId)) return undefined;
      const opened =
        source.openSession === undefined
          ? snapshotOfLists(source, tenantId, sessionId, options)
          : await source.openSession(tenantId, sessionId, options);
      return opened === undefined ? undefined : withRevision(opened, inScope(opened.revision));
    },
  };
  const { findSessions, searchRecords, revision, sourceNamed } = source;
  if (sourceNamed !== undefined) {
    scoped.sourceNamed = (name) => {
      const named = sourceNamed.call(source, name);
      return named && scopedSource(named, tenants);
    };
  }
  if (findSessions !== undefined) {
    scoped.findSessions = (search, options) =>
      findInScope(findSessions.bind(source), search, tenants, options);
  }
  if (searchRecords !== undefined) {
    scoped.searchRecords = (search, options) =>
      searchInScope(searchRecords.bind(source), search, tenants, options);
  }
  if (revision !== undefined) {
    scoped.revision = async (options) => inScope(await revision.call(source, options));
  }
  return scoped;
}

function withRevision(snapshot: SessionSnapshot, revision: string | undefined): SessionSnapshot {
  return {
    revision,
    trace: () => snapshot.trace(),
    messages: (agentId) => snapshot.messages(agentId),
    orchestration: () => snapshot.orchestration(),
  };
}

/** A source that passes over `tenants` gives other tenants' sessions too: then page after page is asked for. */
async function findInScope(
  find: NonNullable<InspectorDataSource["findSessions"]>,
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
    const page = checkedList((await find({ ...narrowed, after }, options)).items, "findSessions");
    items = items.concat(await runInSlices(sessionsOf(wanted, page), options?.signal));
    if (items.length >= limit || page.length < limit) return { items: items.slice(0, limit) };
    options?.signal?.throwIfAborted();
    after = page.at(-1);
  }
}

/** What the source says of how much there is, and of what it could not read, may be about other tenants, too. */
async function searchInScope(
  searchRecords: NonNullable<InspectorDataSource["searchRecords"]>,
  search: RecordSearch,
  scope: ReadonlySet<string>,
  options?: ReadOptions,
): Promise<RecordSearchPage> {
  const wanted = wantedTenants(search, scope);
  if (wanted.size === 0) return { candidates: [], next: undefined, searched: {}, total: {} };
  const page = checkedSearchPage(await searchRecords(narrowedTo(wanted, search), options), search);
  const { candidates, next, notes = [] } = page;
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

/** The tenants of the scope that a search asks for. */
function wantedTenants({ tenantId, tenants }: TenantSearch, scope: ReadonlySet<string>): Set<string> {
  const asked = tenants === undefined ? scope : new Set(tenants);
  return new Set(
    [...asked].filter((tenant) => scope.has(tenant) && (tenantId === undefined || tenant === tenantId)),
  );
}

const ITEMS_PER_PAUSE = 256;

function* sessionsOf(
  tenants: ReadonlySet<string>,
  sessions: readonly InspectorSessionItem[],
): Generator<void, InspectorSessionItem[]> {
  const seen: InspectorSessionItem[] = [];
  for (const [i, session] of sessions.entries()) {
    if (tenants.has(session.tenantId)) seen.push(session);
    if (i % ITEMS_PER_PAUSE === ITEMS_PER_PAUSE - 1) yield;
  }
  return seen;
}
