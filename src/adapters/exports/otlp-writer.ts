import type { ArchiveLines, ExportWriter } from "../../application/ports/export.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import type { JsonObject } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { agentNameOf } from "./agent-name.js";
import { type SpreadConversation, spreadConversation } from "./call-messages.js";
import { asBytes } from "./json-pieces.js";
import { OtlpSpans, type SpanSource } from "./otlp-spans.js";
import { attributeList } from "./otlp-values.js";
import { type PlannedSpan, planSpans } from "./planned-spans.js";
import { type SessionOnHand, sessionsIn } from "./session-on-hand.js";

/** Receivers bound what they take at a time. */
const REQUEST_CHARACTERS = 1024 * 1024;

/**
 * Spans in the JSON of OTLP, as the Collector's file exporter writes them: a request a line (`ExportTraceServiceRequest`), which is also
 * the body of a `POST /v1/traces`. A trace is a turn.
 */
export class OtlpWriter implements ExportWriter {
  readonly mediaType = "application/x-ndjson";
  readonly ending = ".otlp.jsonl";

  async *write(lines: ArchiveLines, options: ReadOptions = {}): AsyncGenerator<Uint8Array> {
    for await (const session of sessionsIn(lines, options)) {
      const source = await runInSlices(spanSource(session), options.signal);
      const spans = await runInSlices(spansOf(source), options.signal);
      yield* asBytes(requestLines(source, spans), options.signal);
    }
  }
}

function* spanSource(session: SessionOnHand): Generator<void, SpanSource> {
  const roots = yield* session.roots();
  yield;
  const spans = planSpans(roots);
  yield;
  const calls = new Map<string, PlannedSpan[]>();
  for (const planned of spans) {
    if (planned.kind !== "model" || isInTool(planned)) continue;
    const { agentId } = planned.span!;
    const known = calls.get(agentId);
    if (known === undefined) calls.set(agentId, [planned]);
    else known.push(planned);
  }
  const conversations = new Map<string, SpreadConversation>();
  for (const [agentId, records] of session.conversations) {
    const own = (calls.get(agentId) ?? []).sort((a, b) => a.span!.start.index - b.span!.start.index);
    conversations.set(agentId, yield* spreadConversation(records, own));
  }
  return { session, spans, conversations, agentName: agentNameOf(session, roots).name };
}

/** What a tool says to a model is no part of the conversation that it was called from. */
function isInTool({ parent }: PlannedSpan): boolean {
  for (let at = parent; at !== undefined && at.kind !== "agent"; at = at.parent)
    if (at.kind === "tool") return true;
  return false;
}

/** Their times are those of all of them. */
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
