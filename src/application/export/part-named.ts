import { withoutParts } from "../../domain/conversation/call-context.js";
import { type ReadMessage, readMessage } from "../../domain/conversation/conversation.js";
import { plainBatch } from "../../domain/json/record-batch.js";
import { type EventFacts, readEventFacts } from "../../domain/spans/event-facts.js";
import { orderOrchestration } from "../../domain/trace/trace-sequence-merge.js";
import { InvalidRequestError } from "../errors.js";
import type { MessageStream, ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { recordsIn } from "../records/context-facts.js";
import { BEGINNING, envelopeBatches } from "../records/session-records.js";
import { TraceOrders } from "../records/trace-orders.js";
import { readAllRecords } from "../sources/record-streams.js";
import { InProcessPool } from "../threads/in-process-pool.js";
import { runInSlices } from "../threads/slices.js";
import type { ConversationPart } from "./chosen-spans.js";
import { conversationPart, type SearchedMessages } from "./conversation-part.js";
import type { ChoosePart, SessionPart } from "./part-of-session.js";
import { type NamedPart, tracePart } from "./trace-part.js";

/**
 * Returns a function that selects the records of a part of a session:
 * - `errors`: each failed step, the model call that requested it, its turn with the prompt, and the changes of its files.
 * - `turn:N`: a turn of the main agent, numbered as in the page, with the sub-agents that it started.
 * - `agent:ID`: a sub-agent, those that it started, and its spawning call.
 * - `step:ID`: a step by the id of one of its envelopes, its model call, and the context of that call.
 *
 * The trace is read once, and so is each conversation with a part in it.
 *
 * @throws InvalidRequestError for another name
 */
export function partNamed(only: string): ChoosePart {
  const named = parsePart(only);
  return async (snapshot, options) => await choosePart(snapshot, named, options);
}

function parsePart(only: string): NamedPart {
  const [, kind, value = ""] = /^(errors|turn|agent|step)(?::(.+))?$/s.exec(only) ?? [];
  if (kind === "errors" && value === "") return { kind };
  if (kind === "turn" && /^[1-9]\d{0,8}$/.test(value)) return { kind, number: Number(value) };
  if ((kind === "agent" || kind === "step") && value !== "") return { kind, id: value };
  throw new InvalidRequestError("only", "is one of errors, turn:N (from 1 on), agent:ID and step:ID.");
}

async function choosePart(
  snapshot: SessionSnapshot,
  named: NamedPart,
  options: ReadOptions,
): Promise<SessionPart> {
  const trace = await snapshot.trace();
  const orders = new TraceOrders(new InProcessPool());
  const { positions, renumbered } = await orders.of(trace.keys);
  const events: EventFacts[] = [];
  const key = { tenantId: "", sessionId: "" }; // names are no part of the facts
  for await (const { batch } of envelopeBatches(snapshot, trace, orders, key, BEGINNING, options)) {
    await runInSlices(addFacts(events, plainBatch(batch)), options.signal);
  }
  const {
    events: places,
    conversations,
    spans,
    turns,
  } = await runInSlices(tracePart(events, named), options.signal);
  const isStored = (place: number) => place < trace.size;
  const stored = [...places].filter(isStored);
  const behind = [...places].filter((place) => !isStored(place));
  const log = await readAllRecords((await snapshot.orchestration()).events, options);
  const { order } = await runInSlices(orderOrchestration(log), options.signal);

  const messages = new Map<string, Uint32Array>();
  for (const [agentId, part] of conversations) {
    const stream = await snapshot.messages(agentId === "" ? undefined : agentId);
    const chosen = part.isComplete
      ? Uint32Array.from({ length: stream.size }, (_, at) => at)
      : conversationPart(await outlined(stream, part, options), part, agentId, spans);
    messages.set(agentId, chosen);
  }
  const own = messages.get("") ?? new Uint32Array();
  messages.delete("");
  const envelopes = Uint32Array.from(stored, (place) => positions?.[place] ?? place).sort();
  const placeOf = new Map(stored.map((place) => [positions?.[place] ?? place, place]));
  return {
    envelopes,
    sequences: renumbered ? envelopes.map((position) => placeOf.get(position)!) : undefined,
    turns,
    events: Uint32Array.from(behind, (place) => order[place - trace.size]!).sort(),
    messages: own,
    agents: messages,
  };
}

function* addFacts(events: EventFacts[], batch: Parameters<typeof recordsIn>[0]): Generator<void, void> {
  for (const [, record] of recordsIn(batch)) {
    events.push(readEventFacts(record, events.length, events.at(-1)?.at ?? 0));
    yield;
  }
}

async function outlined(
  stream: MessageStream,
  { toolCallIds }: ConversationPart,
  options: ReadOptions,
): Promise<SearchedMessages> {
  const messages: ReadMessage[] = [];
  const toolMessages: number[] = [];
  function* add(batch: Parameters<typeof recordsIn>[0]): Generator<void, void> {
    for (const [, record] of recordsIn(batch)) {
      const message = readMessage(record, messages.length);
      const isWanted = message.parts.some((part) => "callId" in part && toolCallIds.has(part.callId));
      if (isWanted) toolMessages.push(message.index);
      messages.push(withoutParts(message));
      yield;
    }
  }
  for await (const batch of stream.read({ from: 0, to: stream.size }, options)) {
    await runInSlices(add(plainBatch(batch)), options.signal);
  }
  return { messages, outline: stream.outline, toolMessages };
}
