import type { SessionPage, SessionSearch } from "../../application/ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../../application/ports/record-search.js";
import type { ReadOptions, RecordStream } from "../../application/ports/record-stream.js";
import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionSource } from "../../application/ports/session-source.js";
import { logOf } from "../../application/sources/record-streams.js";
import { listCandidates, selectSessions } from "../../application/sources/select-sessions.js";
import { runInSlices } from "../../application/threads/slices.js";
import { batchOfTexts } from "../../domain/json/record-batch.js";
import { sessionItem } from "../../domain/session/session-log.js";
import { fingerprintOfNumbers } from "../../domain/text/fingerprints.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import { keysOfEnvelopes } from "../../domain/trace/trace-sequence-merge.js";
import type { MemoryState, TextList } from "./memory-state.js";

/** Reads what a `MemorySessionStore` on the same state writes. */
export class MemoryDataSource implements SessionSource {
  readonly capabilities = { searchesRecords: false, knowsRevision: false };
  readonly #state: MemoryState;
  readonly #now: () => number;
  readonly #keys = new WeakMap<readonly string[], TraceKeys>();

  constructor(state: MemoryState, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const now = this.#now();
    const sessions = this.#state.list().map((session) => {
      const ends = [session.traceEnd, session.orchestrationEnd];
      const { log, uncounted } = session;
      return sessionItem(session, { log, ends, uncounted }, session.addedAt, now);
    });
    return { items: await runInSlices(selectSessions(sessions, search), options?.signal) };
  }

  findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    return listCandidates(this, search, options);
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
    const envelopes = textsIn(session.envelopes);
    const orchestrationEvents = textsIn(session.orchestrationEvents);
    const messages = textsIn(session.messages);
    return {
      revision: String(session.revision),
      trace: async () => ({ ...streamOfTexts(envelopes, signal), keys: this.#keysOf(envelopes.texts) }),
      messages: async (agentId) => streamOfTexts(agentId === undefined ? messages : NO_TEXTS, signal),
      orchestration: async () => logOf(streamOfTexts(orchestrationEvents, signal), { signal }),
    };
  }

  #keysOf(envelopes: readonly string[]): TraceKeys {
    const known = this.#keys.get(envelopes);
    if (known !== undefined) return known;
    const keys = keysOfEnvelopes(parseAll(envelopes));
    this.#keys.set(envelopes, keys);
    return keys;
  }
}

/** The texts of a list as they were at one moment. */
type Texts = Pick<TextList, "id" | "texts">;

function textsIn({ id, texts }: TextList): Texts {
  return { id, texts };
}

const NO_TEXTS: Texts = { id: 0, texts: [] };

/** How many texts go into one batch. */
const BATCH_RECORDS = 256;

/**
 * Texts that are stored as they are to be served.
 *
 * @param opened the signal that the session was opened with
 */
function streamOfTexts({ id, texts }: Texts, opened: AbortSignal | undefined): RecordStream {
  return {
    size: texts.length,
    warnings: [],
    fingerprintAt: (position) => fingerprintOfNumbers(id, position),
    async *read({ positions, from, to }, { signal } = {}) {
      for (let at = from; at < to; at += BATCH_RECORDS) {
        opened?.throwIfAborted();
        signal?.throwIfAborted();
        const end = Math.min(to, at + BATCH_RECORDS);
        yield batchOfTexts(Array.from({ length: end - at }, (_, i) => texts[positions?.[at + i] ?? at + i]!));
      }
    },
  };
}

function parseAll<T>(texts: readonly string[] = []): T[] {
  return texts.map((text) => JSON.parse(text) as T);
}
