import { isOddInstant } from "../../domain/trace/instant.js";
import { replayOrchestration } from "../../domain/trace/replay-orchestration.js";
import { keysInSteps } from "../../domain/trace/trace-sequence-merge.js";
import {
  DATA_SOURCE,
  type InspectorDataSource,
  type SessionPage,
  type SessionSearch,
} from "../ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../ports/record-search.js";
import type { ReadOptions, RecordStream } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { isLocal, type SessionSource, type SourceCapabilities } from "../ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../ports/source-survey.js";
import { runInSlices } from "../threads/slices.js";
import { checkedList, checkedPage, checkedRevision, checkedSearchPage, checkedSnapshot } from "./checked.js";
import { listedItems, oddInstants } from "./listed-items.js";
import { readAllRecords, streamOf } from "./record-streams.js";
import { listCandidates, selectSessions } from "./select-sessions.js";
import { type CallSource, limited } from "./source-limit.js";
import { checkedSurveys, surveysOfList } from "./source-surveys.js";

const CONCURRENT_READS = 32;

const lifted = new WeakMap<InspectorDataSource, SessionSource>();

/**
 * Validates a source, and builds every missing capability from its five methods. The same source always returns the same result. Each
 * call reads the source's members again, because an embedder may replace them.
 * @throws TypeError for an invalid data source
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
  readonly #call: CallSource;

  constructor(source: InspectorDataSource) {
    this.#source = source;
    this.#call = limited(this.capabilities.concurrentReads);
  }

  get capabilities(): SourceCapabilities {
    const { searchRecords, revision, surveySources, concurrentReads = CONCURRENT_READS } = this.#source;
    return {
      surveys: surveySources !== undefined,
      searchesRecords: searchRecords !== undefined,
      knowsRevision: revision !== undefined,
      concurrentReads,
    };
  }

  async openSession(...of: SessionArguments): Promise<SessionSnapshot | undefined> {
    const source = this.#source;
    const loadsAhead = !isLocal(this);
    const call: CallSource = (work) => this.#call(work, of[2]);
    if (source.openSession === undefined) {
      const state = () => call(async () => source.loadOrchestrationState(...of));
      return checkedSnapshot(snapshotOfLists(source, of), { call, loadsAhead, state });
    }
    const snapshot = await call(async () => source.openSession!(...of));
    return snapshot === undefined ? undefined : checkedSnapshot(snapshot, { call, loadsAhead });
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const source = this.#source;
    if (source.findSessions !== undefined) {
      return checkedPage(
        await this.#call(async () => source.findSessions!(search, options), options),
        options,
      );
    }
    const list = checkedList(
      await this.#call(async () => source.listSessions(options), options),
      "listSessions",
    );
    const { items, warnings } = await runInSlices(listedItems(list, "listSessions"), options?.signal);
    return { items: await runInSlices(selectSessions(items, search), options?.signal), warnings };
  }

  async findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    const source = this.#source;
    if (source.searchRecords === undefined) return listCandidates(this, search, options);
    const page = await this.#call(async () => source.searchRecords!(search, options), options);
    return checkedSearchPage(page, search);
  }

  async revision(options?: ReadOptions): Promise<string | undefined> {
    const source = this.#source;
    if (source.revision === undefined) return undefined;
    return checkedRevision(await this.#call(async () => source.revision?.(options), options));
  }

  async survey(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]> {
    const source = this.#source;
    if (source.surveySources === undefined) return surveysOfList(this, request, options);
    return checkedSurveys(await this.#call(async () => source.surveySources!(request, options), options));
  }
}

function snapshotOfLists(source: InspectorDataSource, of: SessionArguments): SessionSnapshot {
  const [, , options] = of;
  return {
    revision: undefined,
    async trace() {
      const envelopes = checkedList(await source.loadTraceEnvelopes(...of), "loadTraceEnvelopes");
      const keys = await runInSlices(keysInSteps(envelopes), options?.signal);
      const odd: number[] = [];
      for (const [i, at] of keys.instants.entries())
        if (Number.isNaN(at) && isOddInstant(envelopes[i]?.timestamp)) odd.push(i + 1);
      return { ...streamOf(envelopes, options), keys, warnings: oddInstants(odd, "loadTraceEnvelopes") };
    },
    async messages(agentId) {
      if (agentId !== undefined) return streamOf([], options);
      return streamOf(checkedList(await source.loadMessages(...of), "loadMessages"), options);
    },
    async orchestration() {
      const events = await source.loadOrchestrationEvents(...of);
      return {
        events: streamOf(checkedList(events, "loadOrchestrationEvents"), options),
        state: () => source.loadOrchestrationState(...of),
      };
    },
  };
}

export function asDataSource(
  source: SessionSource & Pick<InspectorDataSource, "close">,
): InspectorDataSource {
  const { searchesRecords, knowsRevision, surveys, concurrentReads } = source.capabilities;
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
    concurrentReads,
    ...(searchesRecords ? { searchRecords: (...of) => source.findCandidates(...of) } : {}),
    ...(knowsRevision ? { revision: (options) => source.revision(options) } : {}),
    ...(surveys ? { surveySources: (...of) => source.survey(...of) } : {}),
    ...(source.close === undefined ? {} : { close: async () => source.close?.() }),
  };
}
