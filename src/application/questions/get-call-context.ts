import {
  type CallContext,
  type ContextSource,
  contextInConversation,
  type SeenMessage,
  seenMessage,
} from "../../domain/conversation/call-context.js";
import { type ReadMessage, readMessage } from "../../domain/conversation/conversation.js";
import { recordedContext } from "../../domain/conversation/recorded-context.js";
import { withoutResults } from "../../domain/conversation/seen-messages.js";
import { cutDeep, isJsonObject, type JsonObject, objectField } from "../../domain/json/json.js";
import type { EventFacts } from "../../domain/spans/event-facts.js";
import { type FoundCall, findModelCall, tracedCall } from "../../domain/spans/model-call-of.js";
import type { Span } from "../../domain/spans/span.js";
import { formatInstant } from "../../domain/trace/instant.js";
import { estimateTokens } from "../../domain/usage/token-counts.js";
import { InvalidRequestError } from "../errors.js";
import { EVENT_FACTS, factsBatch, MESSAGE_FACTS } from "../explain/context-facts.js";
import type { ReadOptions, RecordStream } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { BEGINNING, searchedBatches } from "../search/search-session.js";
import { readAllRecords } from "../sources/record-streams.js";
import { openSession } from "../sources/scope.js";
import { TraceQuestion } from "./trace-question.js";
import { decodeCursor, encodeCursor, listName, type SessionRequest } from "./window.js";

export interface CallContextRequest extends SessionRequest {
  /** The id of an envelope: of a model call, or of a step that one asked for. */
  readonly call: string;
}

const DEFAULT_LIMIT = 100;

/** Which messages a model call of a session saw, by the id of one of its steps. */
export class GetCallContext extends TraceQuestion {
  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a step that the session does not have, one before its first model call, and a cursor of another list
   */
  async execute(request: CallContextRequest, options: ReadOptions = {}): Promise<CallContext> {
    const { tenantId, sessionId, call: id, window = {} } = request;
    const { limit = DEFAULT_LIMIT, cursor } = window;
    const list = listName(`context\0${id}`, tenantId, sessionId);
    const from = cursor === undefined ? 0 : Number(decodeCursor(list, cursor, /^\d{1,15}$/));
    const session = await openSession(this.source, request, options);
    session.begin?.(["trace", "orchestration", "state"]);
    const found = await this.#find(session, request, options);
    if (found === undefined) {
      throw new InvalidRequestError(
        "call",
        "names no step of this session up to which there is a model call.",
      );
    }
    const seen = await this.#seenBy(session, found, options);
    const to = Math.min(seen.messages.length, from + limit);
    const { spanId, at, tokens } = tracedCall(found.call);
    return {
      call: {
        id: spanId,
        timestamp: formatInstant(at),
        ...(found.call.agentId === "" ? {} : { agentId: found.call.agentId }),
        ...(tokens === undefined ? {} : { countedTokens: tokens }),
        size: seen.messages.length,
        estimatedTokens: seen.messages.reduce((sum, { size }) => sum + estimateTokens(size), 0),
        source: seen.source,
      },
      messages: await seen.read(seen.messages.slice(from, to)),
      nextCursor: to < seen.messages.length ? encodeCursor(list, String(to)) : null,
    };
  }

  async #find(
    session: SessionSnapshot,
    request: CallContextRequest,
    options: ReadOptions,
  ): Promise<FoundCall | undefined> {
    const events: EventFacts[] = [];
    const { size } = await session.trace();
    let previousAt = 0;
    for await (const { records, place, batch } of searchedBatches(
      session,
      this.orders,
      request,
      BEGINNING,
      options,
    )) {
      if (records === "messages") break;
      const at = place.list === "trace" ? place.at : size + place.at;
      const input = { ...factsBatch(batch, at), previousAt, id: request.call };
      const found = await this.pool.run(EVENT_FACTS, input, options);
      for (const event of found.events) events.push(event);
      previousAt = found.lastAt;
    }
    const state = await (await session.orchestration()).state();
    const spawned = events.flatMap(({ kind, agentId = "" }) => (kind === "agent" ? [agentId] : []));
    return findModelCall(events, [...Object.keys(state?.snapshot.agents ?? {}), ...spawned], request.call);
  }

  async #seenBy(session: SessionSnapshot, { call, calls }: FoundCall, options: ReadOptions): Promise<Seen> {
    const given = await this.#given(session, call, options);
    if (given !== undefined) {
      return { source: "call", messages: given, read: async (part) => part.map((one) => seenMessage(one)) };
    }
    const stream = await session.messages(call.agentId === "" ? undefined : call.agentId);
    const { outline } = stream;
    const messages: ReadMessage[] = [];
    for await (const batch of stream.read({ from: 0, to: stream.size }, options)) {
      const read = await this.pool.run(MESSAGE_FACTS, factsBatch(batch, messages.length), options);
      for (const message of read) messages.push(message);
    }
    const seen = contextInConversation(messages, calls.map(tracedCall), call.id, outline);
    if (seen === undefined) return { source: null, messages: [], read: async () => [] };
    const { cleared, isRecorded } = seen;
    return {
      source: isRecorded ? "call" : "conversation",
      messages: seen.messages,
      read: (part) => readSeen(stream, part, cleared, options),
    };
  }

  /** What the call's own envelopes say that it was given. */
  async #given(
    session: SessionSnapshot,
    { start, end }: Span,
    options: ReadOptions,
  ): Promise<ReadMessage[] | undefined> {
    const trace = await session.trace();
    const { positions } = await this.orders.of(trace.keys);
    const places = end === undefined || end === start ? [start.index] : [start.index, end.index];
    const wanted = Uint32Array.from(places, (place) => positions?.[place] ?? place);
    const envelopes = await readAt(trace, wanted, options);
    return recordedContext(envelopes.map((one) => objectField(one, "event")))?.messages.map(readMessage);
  }
}

interface Seen {
  readonly source: ContextSource;
  /** Without their parts, where they are read again. */
  readonly messages: readonly ReadMessage[];
  read(part: readonly ReadMessage[]): Promise<SeenMessage[]>;
}

/** Messages of a conversation, read again with their texts. */
async function readSeen(
  stream: RecordStream,
  part: readonly ReadMessage[],
  cleared: ReadonlySet<string>,
  options: ReadOptions,
): Promise<SeenMessage[]> {
  const positions = [...new Set(part.map(({ index }) => Math.floor(index)))];
  const records = await readAt(stream, Uint32Array.from(positions), options);
  const whole = new Map(positions.map((at, i) => [at, readMessage(records[i]!, at)]));
  return part.map(({ index }) => {
    const message = whole.get(Math.floor(index))!;
    const item = message.replacement?.findIndex((one) => one.index === index) ?? -1;
    return item === -1
      ? seenMessage(withoutResults(message, cleared))
      : seenMessage(message.replacement![item]!, item);
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
    read: (selection, given) => stream.read({ ...selection, positions }, given),
  };
  const records = await readAllRecords<unknown>(part, options);
  return records.map((record) => {
    const read = cutDeep(record);
    return isJsonObject(read) ? read : { value: read };
  });
}
