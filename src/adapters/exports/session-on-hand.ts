import type { ArchiveLines } from "../../application/ports/export.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import type { ArchiveRecord } from "../../domain/archive/archive-record.js";
import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import { isJsonObject, type JsonObject, objectField, recordIn } from "../../domain/json/json.js";
import { type EventFacts, readEventFacts } from "../../domain/spans/event-facts.js";
import type { Span } from "../../domain/spans/span.js";
import { spanTree } from "../../domain/spans/span-tree.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import { orderTrace } from "../../domain/trace/trace-order.js";
import { keysInSteps, TraceSequenceMerge } from "../../domain/trace/trace-sequence-merge.js";
import type { ListedSession } from "../../domain/usage/model-usage.js";

/** A conversation: the session's own, or that of a sub-agent. */
export interface ConversationRecords {
  /** Messages as JSON text, in the stored order. */
  readonly texts: string[];
  outline: ConversationOutline | undefined;
}

/**
 * A session of an archive. Its records are kept as the texts that they are, and parsed one by one when a writer asks for them: of all of
 * them together there are only their facts.
 */
export class SessionOnHand {
  readonly listed: ListedSession;
  /** By the agent's id; `""` is the session's own. */
  readonly conversations = new Map<string, ConversationRecords>();
  readonly #envelopes: string[] = [];
  readonly #keys: Pick<WorkflowTraceEventEnvelope, "traceId" | "sequence" | "timestamp">[] = [];
  readonly #events: unknown[] = [];
  #order: Uint32Array | undefined;
  #orchestration: readonly JsonObject[] = [];

  constructor(listed: ListedSession) {
    this.listed = listed;
  }

  add(text: string, record: ArchiveRecord): void {
    if ("envelope" in record) {
      const { traceId, sequence, timestamp } = record.envelope;
      this.#envelopes.push(text);
      this.#keys.push({ traceId, sequence, timestamp });
    } else if ("event" in record) this.#events.push(record.event);
    else if ("message" in record) this.#conversation(record.agent).texts.push(JSON.stringify(record.message));
    else if ("outline" in record) this.#conversation(record.agent).outline = record.outline;
  }

  /** The spans of the merged trace, each in what it lies in. */
  *roots(): Generator<void, readonly Span[]> {
    const merge = new TraceSequenceMerge(yield* orderTrace(yield* keysInSteps(this.#keys)));
    this.#order = merge.order.positions;
    const { tenantId, sessionId } = this.listed;
    const added = yield* merge.orchestrationEnvelopes(tenantId, sessionId, this.#events);
    this.#orchestration = added.map((envelope) => ({ ...envelope }));
    const facts: EventFacts[] = [];
    const size = this.#envelopes.length + added.length;
    for (let at = 0; at < size; at++) {
      facts.push(readEventFacts(this.#envelope(at), at, facts.at(-1)?.at ?? 0));
      if (at % EVENTS_PER_PAUSE === EVENTS_PER_PAUSE - 1) yield;
    }
    return yield* spanTree(facts);
  }

  /** The event of which facts are known, as it was recorded. */
  eventOf({ index }: EventFacts): JsonObject {
    return objectField(this.#envelope(index), "event");
  }

  /** @param at its place in the merged trace */
  #envelope(at: number): JsonObject {
    const text = this.#envelopes[this.#order?.[at] ?? at];
    return text === undefined
      ? this.#orchestration[at - this.#envelopes.length]!
      : objectField(recordIn(text), "envelope");
  }

  #conversation(agent = ""): ConversationRecords {
    const known = this.conversations.get(agent) ?? { texts: [], outline: undefined };
    this.conversations.set(agent, known);
    return known;
  }
}

const EVENTS_PER_PAUSE = 128;
const LINES_PER_PAUSE = 64;

/** The sessions of an archive, one after the other: of none is anything kept when the next one is asked for. */
export async function* sessionsIn(
  lines: ArchiveLines,
  { signal }: ReadOptions = {},
): AsyncGenerator<SessionOnHand> {
  let session: SessionOnHand | undefined;
  for await (const batch of lines) {
    const next: SessionOnHand[] = [];
    function* take() {
      for (const [at, text] of batch.entries()) {
        const record = recordIn(text) as ArchiveRecord;
        if ("session" in record && isJsonObject(record.session)) {
          if (session !== undefined) next.push(session);
          session = new SessionOnHand(record.session);
        } else session?.add(text, record);
        if (at % LINES_PER_PAUSE === LINES_PER_PAUSE - 1) yield;
      }
    }
    await runInSlices(take(), signal);
    yield* next;
  }
  if (session !== undefined) yield session;
}
