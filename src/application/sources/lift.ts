import { replayOrchestration } from "../../domain/orchestration/replay-orchestration.js";
import { keysOfEnvelopes } from "../../domain/trace/trace-sequence-merge.js";
import {
  DATA_SOURCE,
  type InspectorDataSource,
  type SessionPage,
  type SessionSearch,
} from "../ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../ports/record-search.js";
import type { ReadOptions, RecordStream } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import type { SessionSource, SourceCapabilities } from "../ports/session-source.js";
import { runInSlices } from "../threads/slices.js";
import {
  checkedList,
  checkedPage,
  checkedRevision,
  checkedSearchPage,
  checkedSnapshot,
  checkedState,
} from "./checked.js";
import { listedItems } from "./listed-items.js";
import { readAllRecords, streamOf } from "./record-streams.js";
import { listCandidates, selectSessions } from "./select-sessions.js";

const lifted = new WeakMap<InspectorDataSource, SessionSource>();

/**
 * The source as the inside speaks to it: checked, and with everything that it has not by itself made of its five methods. The same source
 * gives the same lifted one. Each call reads the source's members anew, because an embedder may replace one of them.
 *
 * @throws TypeError for what is no data source
 */
export function lift(source: InspectorDataSource): SessionSource {
  const error = DATA_SOURCE("source", source);
  if (error !== undefined) throw error;
  const before = lifted.get(source);
  if (before !== undefined) return before;
  const own = new LiftedSource(source);
  lifted.set(source, own);
  return own;
}

/** One of the sources that a source is made of, lifted; `undefined` where there is none of that name. */
export async function liftNamed(
  source: InspectorDataSource,
  name: string,
): Promise<SessionSource | undefined> {
  const named = await source.sourceNamed?.(name);
  return named && lift(named);
}

type SessionArguments = Parameters<SessionSource["openSession"]>;

class LiftedSource implements SessionSource {
  readonly #source: InspectorDataSource;

  constructor(source: InspectorDataSource) {
    this.#source = source;
  }

  get capabilities(): SourceCapabilities {
    const { searchRecords, revision } = this.#source;
    return { searchesRecords: searchRecords !== undefined, knowsRevision: revision !== undefined };
  }

  async openSession(...of: SessionArguments): Promise<SessionSnapshot | undefined> {
    if (this.#source.openSession === undefined) return snapshotOfLists(this.#source, of);
    const snapshot = await this.#source.openSession(...of);
    return snapshot === undefined ? undefined : checkedSnapshot(snapshot);
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    if (this.#source.findSessions !== undefined) {
      return checkedPage(await this.#source.findSessions(search, options));
    }
    const list = checkedList(await this.#source.listSessions(options), "listSessions");
    const { items, warnings } = listedItems(list, "listSessions");
    return { items: await runInSlices(selectSessions(items, search), options?.signal), warnings };
  }

  async findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    if (this.#source.searchRecords === undefined) return listCandidates(this, search, options);
    return checkedSearchPage(await this.#source.searchRecords(search, options), search);
  }

  async revision(options?: ReadOptions): Promise<string | undefined> {
    return checkedRevision(await this.#source.revision?.(options));
  }
}

/** A session of a source that opens none. Each list is loaded when it is asked for. */
function snapshotOfLists(source: InspectorDataSource, of: SessionArguments): SessionSnapshot {
  const [, , options] = of;
  return {
    revision: undefined,
    async trace() {
      const envelopes = checkedList(await source.loadTraceEnvelopes(...of), "loadTraceEnvelopes");
      return { ...streamOf(envelopes, options), keys: keysOfEnvelopes(envelopes) };
    },
    async messages(agentId) {
      if (agentId !== undefined) return streamOf([], options);
      return streamOf(checkedList(await source.loadMessages(...of), "loadMessages"), options);
    },
    async orchestration() {
      const events = await source.loadOrchestrationEvents(...of);
      return {
        events: streamOf(checkedList(events, "loadOrchestrationEvents"), options),
        state: async () => checkedState(await source.loadOrchestrationState(...of)),
      };
    },
  };
}

/** The public port of a source: its five methods, made of snapshots, and the optional ones for what it can do. */
export function asDataSource(
  source: SessionSource & Pick<InspectorDataSource, "close">,
): InspectorDataSource {
  const { searchesRecords, knowsRevision } = source.capabilities;
  const recordsOf = async <T>(
    of: SessionArguments,
    streamIn: (session: SessionSnapshot) => Promise<RecordStream>,
  ): Promise<T[]> => {
    const session = await source.openSession(...of);
    return session === undefined ? [] : readAllRecords<T>(await streamIn(session), of[2]);
  };
  return {
    listSessions: async (options) => [...(await source.findSessions({}, options)).items],
    loadTraceEnvelopes: (...of) => recordsOf(of, (session) => session.trace()),
    loadOrchestrationEvents: (...of) =>
      recordsOf(of, async (session) => (await session.orchestration()).events),
    async loadOrchestrationState(...of) {
      const log = await (await source.openSession(...of))?.orchestration();
      const state = (await log?.state()) ?? null;
      const warnings = [...(log?.events.warnings ?? []), ...(state?.warnings ?? [])];
      if (warnings.length === 0) return state && { snapshot: state.snapshot };
      return { snapshot: state?.snapshot ?? replayOrchestration(null, []), warnings };
    },
    loadMessages: (...of) => recordsOf(of, (session) => session.messages()),
    openSession: (...of) => source.openSession(...of),
    findSessions: (...of) => source.findSessions(...of),
    ...(searchesRecords ? { searchRecords: (...of) => source.findCandidates(...of) } : {}),
    ...(knowsRevision ? { revision: (options) => source.revision(options) } : {}),
    ...(source.close === undefined ? {} : { close: async () => source.close?.() }),
  };
}
