import type { MessageRun } from "../../../domain/conversation/conversation-outline.js";
import { type JsonObject, labelField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { keyText } from "../../../domain/session/session-key.js";
import type { EventFacts } from "../../../domain/spans/event-facts.js";
import { derivedIds } from "../../../domain/text/fingerprints.js";
import { OWN_ATTRIBUTES } from "../../spans/own-attributes.js";
import { type CompleteEvent, eventIn } from "../session/complete-events.js";
import { type ExportedSession, messageIn } from "../session/exported-session.js";
import type { SpreadConversation } from "./call-messages.js";
import { genAiMessage } from "./gen-ai-messages.js";
import { type Attributes, attributeList, nanoseconds } from "./otlp-values.js";
import type { PlannedSpan } from "./planned-spans.js";
import { describeSpan } from "./span-attributes.js";
import { completeEvent } from "./span-members.js";
import { roundedMs, SpanTimes } from "./span-times.js";

export interface SpanSource {
  readonly session: ExportedSession<CompleteEvent>;
  readonly spans: readonly PlannedSpan[];
  /** By agent id; `""` for the main agent. */
  readonly conversations: ReadonlyMap<string, SpreadConversation>;
  readonly agentName: string;
}

export class OtlpSpans {
  readonly #source: SpanSource;
  readonly #times: SpanTimes;
  readonly #idOf: (name: string) => string;
  readonly #places = new Map<PlannedSpan, number>();
  /** Span that reports the messages after the last call. */
  readonly #lastOf = new Map<string, PlannedSpan>();

  constructor(source: SpanSource) {
    this.#source = source;
    this.#times = new SpanTimes(source.spans);
    this.#idOf = derivedIds(`${keyText(source.session.listed)} `);
    for (const [at, planned] of source.spans.entries()) {
      this.#places.set(planned, at);
      if (planned.kind === "turn") this.#lastOf.set("", planned);
      if (planned.kind === "agent") this.#lastOf.set(planned.span!.agentId, planned);
    }
  }

  spanOf(planned: PlannedSpan): JsonObject {
    const { kind, parent, outermost = planned, startAt, endAt, points } = planned;
    const eventOf = (facts: EventFacts) => this.#eventOf(facts);
    const { name, attributes, status } = describeSpan(planned, this.#source.agentName, eventOf);
    const events = points.map((facts) => this.#spanEvent(facts));
    const { sessionId, userId, title } = this.#source.session.listed;
    const whose = {
      "gen_ai.conversation.id": sessionId,
      "user.id": userId || undefined,
      [OWN_ATTRIBUTES.title]: kind === "turn" ? title : undefined,
    };
    return {
      traceId: this.#hexOf(this.#spanIdOf(outermost)),
      spanId: this.#spanIdOf(planned),
      ...(parent === undefined ? {} : { parentSpanId: this.#spanIdOf(parent) }),
      name,
      kind: kind === "model" ? CLIENT : INTERNAL,
      startTimeUnixNano: nanoseconds(roundedMs(startAt), this.#times.startOf(planned)),
      endTimeUnixNano: nanoseconds(roundedMs(endAt), this.#times.endOf(planned)),
      attributes: attributeList({ ...attributes, ...whose, ...this.#messagesOf(planned) }),
      ...(events.length === 0 ? {} : { events }),
      status,
    };
  }

  #spanIdOf(planned: PlannedSpan): string {
    return this.#hexOf(`${this.#places.get(planned)!} ${planned.span?.id ?? ""}`).slice(0, 16);
  }

  #hexOf(name: string): string {
    return this.#idOf(name).replaceAll("-", "");
  }

  #eventOf(facts: EventFacts): JsonObject {
    return eventIn(this.#source.session.trace, facts);
  }

  #spanEvent(facts: EventFacts): JsonObject {
    const event = this.#eventOf(facts);
    const completeText = jsonTextOf(completeEvent(event, facts.kind !== "unknown"));
    const isError = facts.kind === "error";
    const attributes = {
      ...(isError ? { "exception.message": facts.error ?? "error" } : {}),
      [OWN_ATTRIBUTES.event]: completeText,
    };
    return {
      timeUnixNano: nanoseconds(roundedMs(facts.at), this.#times.startOf(facts)),
      name: isError ? "exception" : facts.type,
      attributes: attributeList(attributes),
    };
  }

  /** A model call has the messages that it added. The last turn, or an agent, has the messages after the last call. */
  #messagesOf(planned: PlannedSpan): Attributes {
    const { kind, span } = planned;
    const agentId = kind === "turn" ? "" : span?.agentId;
    const conversation = this.#source.conversations.get(agentId ?? "");
    if (conversation === undefined) return {};
    if (kind === "model") {
      const added = conversation.byCall.get(planned);
      const ended = span?.end === undefined ? {} : this.#eventOf(span.end);
      const reason = labelField(ended, "stopReason") ?? "stop";
      return {
        [OWN_ATTRIBUTES.messages]: "added",
        "gen_ai.input.messages": messagesIn(conversation, added?.input),
        "gen_ai.output.messages": messagesIn(conversation, added?.output, reason),
      };
    }
    const [from, to] = conversation.rest;
    if (from === to || this.#lastOf.get(agentId ?? "") !== planned) return {};
    return {
      [OWN_ATTRIBUTES.messages]: "added",
      "gen_ai.input.messages": messagesIn(conversation, conversation.rest),
    };
  }
}

function messagesIn(
  { records }: SpreadConversation,
  [from, to]: MessageRun = [0, 0],
  finishReason?: string,
): string {
  const messages = records.lines
    .slice(from, to)
    .map((line, at) => genAiMessage(messageIn(line), from + at, finishReason));
  return jsonTextOf(messages)!;
}

/** https://github.com/open-telemetry/opentelemetry-proto/blob/v1.7.0/opentelemetry/proto/trace/v1/trace.proto (SpanKind) */
const INTERNAL = 1;
const CLIENT = 3;
