import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import type { ReadOptions, RecordStream } from "../../application/ports/record-stream.js";
import type { OrchestrationState, SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { Message } from "../../domain/conversation/message.js";
import { batchOfTexts } from "../../domain/json/record-batch.js";
import { replayOrchestration } from "../../domain/orchestration/replay-orchestration.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import { sessionItem } from "../../domain/session/session-log.js";
import { fingerprintOfNumbers } from "../../domain/text/fingerprints.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import { keysOfEnvelopes } from "../../domain/trace/trace-sequence-merge.js";
import type { MemoryState, TextList } from "./memory-state.js";

/** Reads what a `MemorySessionStore` on the same state writes. */
export class MemoryDataSource implements InspectorDataSource {
  readonly #state: MemoryState;
  readonly #now: () => number;
  readonly #keys = new WeakMap<readonly string[], TraceKeys>();

  constructor(state: MemoryState, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
  }

  async listSessions(): Promise<InspectorSessionItem[]> {
    const now = this.#now();
    return this.#state.list().map((session) => {
      const ends = [session.traceEnd, session.orchestrationEnd];
      const { log, uncounted } = session;
      return sessionItem(session, { log, ends, uncounted }, session.addedAt, now);
    });
  }

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
      orchestration: async () => ({
        events: streamOfTexts(orchestrationEvents, signal),
        state: async () => stateAfter(parseAll(orchestrationEvents.texts)),
      }),
    };
  }

  #keysOf(envelopes: readonly string[]): TraceKeys {
    const known = this.#keys.get(envelopes);
    if (known !== undefined) return known;
    const keys = keysOfEnvelopes(parseAll(envelopes));
    this.#keys.set(envelopes, keys);
    return keys;
  }

  async loadTraceEnvelopes(tenantId: string, sessionId: string): Promise<WorkflowTraceEventEnvelope[]> {
    return parseAll(this.#state.find(tenantId, sessionId)?.envelopes.texts);
  }

  async loadOrchestrationEvents(tenantId: string, sessionId: string): Promise<unknown[]> {
    return parseAll(this.#state.find(tenantId, sessionId)?.orchestrationEvents.texts);
  }

  async loadOrchestrationState(tenantId: string, sessionId: string): Promise<OrchestrationState | null> {
    return stateAfter(await this.loadOrchestrationEvents(tenantId, sessionId));
  }

  async loadMessages(tenantId: string, sessionId: string): Promise<Message[]> {
    return parseAll(this.#state.find(tenantId, sessionId)?.messages.texts);
  }
}

function stateAfter(events: readonly unknown[]): OrchestrationState | null {
  return events.length === 0 ? null : { snapshot: replayOrchestration(null, events) };
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
