import type { ExportWriter } from "../../../application/ports/export.js";
import { runInSlices } from "../../../application/threads/slices.js";
import { withoutParts } from "../../../domain/conversation/call-context.js";
import { readMessage } from "../../../domain/conversation/conversation.js";
import type { JsonObject } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { addTo } from "../../../domain/lists/lists.js";
import { agentNameOf } from "../session/agent-name.js";
import { asBytes } from "../session/as-bytes.js";
import { type CompleteEvent, keepComplete } from "../session/complete-events.js";
import { type ExportedSession, sessionsIn } from "../session/exported-session.js";
import { type ConversationRecords, type SpreadConversation, spreadConversation } from "./call-messages.js";
import { OtlpSpans, type SpanSource } from "./otlp-spans.js";
import { attributeList } from "./otlp-values.js";
import { type PlannedSpan, planSpans } from "./planned-spans.js";

/** Receivers limit the size of a request. */
const REQUEST_CHARACTERS = 1024 * 1024;

/**
 * One request (`ExportTraceServiceRequest`) per line, as in the Collector's file exporter; each is also a body of `POST /v1/traces`. A
 * trace is a turn.
 */
export const writeOtlp: ExportWriter["write"] = async function* (lines, options = {}) {
  for await (const session of sessionsIn(lines, () => keepComplete, options)) {
    const conversations = await conversationsOf(session);
    const source = await runInSlices(spanSource(session, conversations), options.signal);
    const spans = await runInSlices(spansOf(source), options.signal);
    yield* asBytes(requestLines(source, spans), options);
  }
};

type Conversations = ReadonlyMap<string, ConversationRecords>;

/** By agent id; `""` for the main agent. */
async function conversationsOf({ messages }: ExportedSession<CompleteEvent>): Promise<Conversations> {
  const conversations = new Map<string, ConversationRecords>();
  for await (const record of messages) {
    const { agentId } = record;
    const existing = conversations.get(agentId) ?? { lines: [], messages: [], outline: undefined };
    conversations.set(agentId, existing);
    if ("outline" in record) existing.outline = record.outline;
    else {
      existing.messages.push(withoutParts(readMessage(record.message, existing.lines.length)));
      existing.lines.push(record.line);
    }
  }
  return conversations;
}

function* spanSource(
  session: ExportedSession<CompleteEvent>,
  reported: Conversations,
): Generator<void, SpanSource> {
  const spans = planSpans(session.trace.roots);
  yield;
  const calls = new Map<string, PlannedSpan[]>();
  for (const planned of spans)
    if (planned.kind === "model" && !isInTool(planned)) addTo(calls, planned.span!.agentId, planned);
  const conversations = new Map<string, SpreadConversation>();
  for (const [agentId, records] of reported) {
    const own = (calls.get(agentId) ?? []).sort((a, b) => a.span!.start.index - b.span!.start.index);
    conversations.set(agentId, spreadConversation(records, own));
    yield;
  }
  return { session, spans, conversations, agentName: agentNameOf(session).name };
}

/** A tool's own model messages do not belong to the conversation that called the tool. */
function isInTool({ parent }: PlannedSpan): boolean {
  for (let at = parent; at !== undefined && at.kind !== "agent"; at = at.parent)
    if (at.kind === "tool") return true;
  return false;
}

function* spansOf(source: SpanSource): Generator<void, OtlpSpans> {
  yield;
  return new OtlpSpans(source);
}

function* requestLines(source: SpanSource, spans: OtlpSpans): Generator<string> {
  const { tenantId } = source.session.listed;
  const resource = {
    attributes: attributeList({ "service.name": source.agentName, "tenant.id": tenantId }),
  };
  const before = `{"resourceSpans":[{"resource":${textOf(resource)},"scopeSpans":[{"scope":{"name":"agent-inspector"},"spans":[`;
  let characters = 0;
  for (const planned of source.spans) {
    const text = textOf(spans.spanOf(planned));
    if (characters > 0 && characters + text.length > REQUEST_CHARACTERS) {
      yield AFTER;
      characters = 0;
    }
    yield characters === 0 ? before : ",";
    yield text;
    characters += text.length;
  }
  if (characters > 0) yield AFTER;
}

const AFTER = "]}]}]}\n";

const textOf = (value: JsonObject): string => jsonTextOf(value)!;
