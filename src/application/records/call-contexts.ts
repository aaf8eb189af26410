import type { ContextSource } from "../../domain/conversation/call-context.js";
import { matchCalls } from "../../domain/conversation/call-matches.js";
import { contextCalls } from "../../domain/conversation/context-calls.js";
import { contextOf, withoutResults } from "../../domain/conversation/context-messages.js";
import { type ReadMessage, readMessage } from "../../domain/conversation/conversation.js";
import { findModelCall, type ModelCallSpan, tracedCall } from "../../domain/conversation/model-call-of.js";
import { recordedContext } from "../../domain/conversation/recorded-context.js";
import { cutDeep, isJsonObject, type JsonObject, objectField } from "../../domain/json/json.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { EventFacts } from "../../domain/spans/event-facts.js";
import type { Span } from "../../domain/spans/span.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { ReadOptions, RecordStream } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { readAllRecords } from "../sources/record-streams.js";
import { EVENT_FACTS, type EventBatch, factsBatch, MESSAGE_FACTS } from "./context-facts.js";
import { BEGINNING, envelopeBatches } from "./session-records.js";
import type { TraceOrders } from "./trace-orders.js";

/** Finds model calls and their contexts. */
export class CallContexts {
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;

  constructor(pool: ReadingPool, orders: TraceOrders) {
    this.#pool = pool;
    this.#orders = orders;
  }

  /** @returns the model call of a step of the session; `undefined` without a call up to it */
  async find(
    session: SessionSnapshot,
    request: SessionKey & { readonly call: string },
    options: ReadOptions,
  ): Promise<ModelCallSpan | undefined> {
    const events: EventFacts[] = [];
    const agents = await readEnvelopes(session, this.#orders, request, options, async (batch) => {
      const read = await this.#pool.run(EVENT_FACTS, batch, options);
      for (const event of read.events) events.push(event);
      return read;
    });
    return findModelCall(events, agents, request.call);
  }

  async contextOf(
    session: SessionSnapshot,
    { call, calls }: ModelCallSpan,
    options: ReadOptions,
  ): Promise<ContextOfOneCall> {
    const recorded = await this.#recordedInput(session, call, options);
    if (recorded !== undefined) {
      return {
        source: "call",
        messages: recorded,
        read: async (part) => part.map((message) => ({ message })),
      };
    }
    const stream = await session.messages(call.agentId === "" ? undefined : call.agentId);
    const messages: ReadMessage[] = [];
    for await (const batch of stream.read({ from: 0, to: stream.size }, options)) {
      const read = await this.#pool.run(MESSAGE_FACTS, factsBatch(batch, messages.length), options);
      for (const message of read) messages.push(message);
    }
    const { matches } = matchCalls(contextCalls(messages, stream.outline), calls.map(tracedCall));
    const match = matches.find(({ traced }) => traced?.spanId === call.id)?.call;
    if (match === undefined) return { source: null, messages: [], read: async () => [] };
    return {
      source: match.isRecorded ? "call" : "conversation",
      messages: contextOf(messages, match),
      read: (part) => readContext(stream, part, match.cleared, options),
    };
  }

  /** The context that the call's own envelopes record. */
  async #recordedInput(
    session: SessionSnapshot,
    { start, end }: Span,
    options: ReadOptions,
  ): Promise<ReadMessage[] | undefined> {
    const trace = await session.trace();
    const { positions } = await this.#orders.of(trace.keys);
    const places = end === undefined || end === start ? [start.index] : [start.index, end.index];
    const wanted = Uint32Array.from(places, (place) => positions?.[place] ?? place);
    const envelopes = await readAt(trace, wanted, options);
    return recordedContext(envelopes.map((one) => objectField(one, "event")))?.messages.map(readMessage);
  }
}

/**
 * Reads the envelopes of a session in order, by a task for each batch.
 * @param request with the id of the envelope that the task looks for
 * @returns the sub-agents that the session records, or that the task reports
 */
export async function readEnvelopes(
  session: SessionSnapshot,
  orders: TraceOrders,
  request: SessionKey & { readonly call: string },
  options: ReadOptions,
  run: (batch: EventBatch) => Promise<{ readonly lastAt: number; readonly agents: readonly string[] }>,
): Promise<readonly string[]> {
  const trace = await session.trace();
  const state = await (await session.orchestration()).state();
  const agents = new Set(Object.keys(state?.snapshot.agents ?? {}));
  let previousAt = 0;
  let at = 0;
  for await (const { batch } of envelopeBatches(session, trace, orders, request, BEGINNING, options)) {
    const read = await run({ ...factsBatch(batch, at), previousAt, id: request.call });
    for (const agent of read.agents) agents.add(agent);
    previousAt = read.lastAt;
    at += batch.size;
  }
  return [...agents];
}

/** The context of a model call. */
export interface ContextOfOneCall {
  readonly source: ContextSource;
  /** Without their parts, where they are read again. */
  readonly messages: readonly ReadMessage[];
  /** Some of them with their parts. */
  read(part: readonly ReadMessage[]): Promise<CompleteMessage[]>;
}

/** A message with its parts. */
interface CompleteMessage {
  readonly message: ReadMessage;
  /** Of a compaction's own messages: which one it is. */
  readonly item?: number;
}

/** Messages of a conversation, read again with their texts. */
async function readContext(
  stream: RecordStream,
  part: readonly ReadMessage[],
  cleared: ReadonlySet<string>,
  options: ReadOptions,
): Promise<CompleteMessage[]> {
  const positions = [...new Set(part.map(({ index }) => Math.floor(index)))];
  const records = await readAt(stream, Uint32Array.from(positions), options);
  const complete = new Map(positions.map((at, i) => [at, readMessage(records[i]!, at)]));
  return part.map(({ index }) => {
    const message = complete.get(Math.floor(index))!;
    const item = message.replacement?.findIndex((one) => one.index === index) ?? -1;
    return item === -1
      ? { message: withoutResults(message, cleared) }
      : { message: message.replacement![item]!, item };
  });
}

async function readAt(
  stream: RecordStream,
  positions: Uint32Array,
  options: ReadOptions,
): Promise<JsonObject[]> {
  const part: RecordStream = {
    ...stream,
    size: positions.length,
    read: (selection, recorded) => stream.read({ ...selection, positions }, recorded),
  };
  const records = await readAllRecords<unknown>(part, options);
  return records.map((record) => {
    const read = cutDeep(record);
    return isJsonObject(read) ? read : { value: read };
  });
}
