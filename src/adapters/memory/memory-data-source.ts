import type { SessionPage, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../../application/ports/record-search.js";
import type { ReadOptions, RecordStream } from "../../application/ports/record-stream.js";
import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionSource } from "../../application/ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../../application/ports/source-survey.js";
import { logOf, streamOf, streamOfTexts } from "../../application/sources/record-streams.js";
import { listCandidates, selectSessions } from "../../application/sources/select-sessions.js";
import { surveysOfList } from "../../application/sources/source-surveys.js";
import { runInSlices } from "../../application/threads/slices.js";
import { sessionItem } from "../../domain/session/session-log.js";
import { fingerprintOfNumbers } from "../../domain/text/fingerprints.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import { keysOfEnvelopes } from "../../domain/trace/trace-sequence-merge.js";
import type { MemoryState, TextList } from "./memory-state.js";

export class MemoryDataSource implements SessionSource {
  readonly capabilities = {
    surveys: false,
    searchesRecords: false,
    knowsRevision: false,
    concurrentReads: Number.POSITIVE_INFINITY,
  };
  readonly #state: MemoryState;
  readonly #now: () => number;
  readonly #keys = new WeakMap<readonly string[], TraceKeys>();

  constructor(state: MemoryState, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const now = this.#now();
    const sessions = this.#state
      .list()
      .map((session) => sessionItem(session, session.sums.facts, session.addedAt, now));
    return { items: await runInSlices(selectSessions(sessions, search), options?.signal) };
  }

  findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    return listCandidates(this, search, options);
  }

  survey(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]> {
    return surveysOfList(this, request, options);
  }

  async revision(): Promise<undefined> {}

  async openSession(
    tenantId: string,
    sessionId: string,
    { signal }: ReadOptions = {},
  ): Promise<SessionSnapshot | undefined> {
    signal?.throwIfAborted();
    const session = this.#state.find(tenantId, sessionId);
    if (session === undefined) return undefined;
    const { texts } = session.envelopes;
    const envelopes = streamOfList(session.envelopes, signal);
    const events = streamOfList(session.orchestrationEvents, signal);
    const messages = streamOfList(session.messages, signal);
    return {
      revision: String(session.revision),
      trace: async () => ({ ...envelopes, keys: this.#keysOf(texts) }),
      messages: async (agentId) => (agentId === undefined ? messages : streamOf([])),
      orchestration: async () => logOf(events, { signal }),
    };
  }

  #keysOf(envelopes: readonly string[]): TraceKeys {
    const cached = this.#keys.get(envelopes);
    if (cached !== undefined) return cached;
    const keys = keysOfEnvelopes(envelopes.map((text) => JSON.parse(text)));
    this.#keys.set(envelopes, keys);
    return keys;
  }
}

function streamOfList({ id, texts }: TextList, signal: AbortSignal | undefined): RecordStream {
  return {
    ...streamOfTexts(texts.length, (position) => texts[position]!, { signal }),
    fingerprintAt: (position) => fingerprintOfNumbers(id, position),
  };
}
