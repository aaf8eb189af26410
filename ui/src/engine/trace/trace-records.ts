import { isModelCall, modelCallOf, tracedCall } from "../../../../src/domain/conversation/model-call-of.js";
import { recordedContext } from "../../../../src/domain/conversation/recorded-context.js";
import { isJsonObject, type JsonObject, parseJson } from "../../../../src/domain/json/json.js";
import { type EventFacts, readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import { type Span, walkSpans } from "../../../../src/domain/spans/span.js";
import { textLine } from "../../../../src/domain/text/subject-line.js";
import { promptIn } from "../../model/agents/job-prompt.js";
import type { RecordedToolCall } from "../../model/changes/call-changes.js";
import { answerSubject } from "../../model/trace/answer.js";
import { inTraceOrder, type TraceModel, traceModel } from "../../model/trace/trace-model.js";
import type { RecordedCall } from "../context/context-store.js";
import { parseInSlices } from "../records/parse-in-slices.js";
import { cutStrings, eventIn, readableJson } from "../records/record-json.js";
import { CallHashes } from "./call-hashes.js";

interface ParsedRecords {
  readonly records: readonly string[];
  readonly events: readonly EventFacts[];
}

const NOTHING: ParsedRecords = { records: [], events: [] };

export class TraceRecords {
  model: TraceModel = traceModel([], new Set());
  records: readonly string[] = [];
  readonly hashes = new CallHashes((index) => this.records[index]!);

  #ahead: ParsedRecords = NOTHING;

  /** Parses in slices, before `update`. */
  async prepare(records: readonly string[]): Promise<void> {
    const cached = this.#factsOf;
    const parsed = await parseInSlices<EventFacts>(
      records,
      (record, index, before) => cached(record, index) ?? readEvent(record, index, before?.at ?? 0),
    );
    this.#ahead = { records, events: parsed ?? [] };
  }

  /** `undefined` if the record is new and not yet parsed. */
  get #factsOf(): (record: string, index: number) => EventFacts | undefined {
    const { records } = this;
    const { events } = this.model;
    const ahead = this.#ahead;
    return (record, index) =>
      records[index] === record
        ? events[index]
        : ahead.records[index] === record
          ? ahead.events[index]
          : undefined;
  }

  /** Unchanged records are not parsed again. */
  update(records: readonly string[], agents: ReadonlySet<string>): void {
    const cached = this.#factsOf;
    const events: EventFacts[] = [];
    for (const [index, record] of records.entries()) {
      events.push(cached(record, index) ?? readEvent(record, index, events.at(-1)?.at ?? 0));
    }
    this.#ahead = NOTHING;
    this.records = records;
    this.model = traceModel(events, agents, ({ start }) => this.hashes.input(start)?.toString());
  }

  /** Start, and end if that is another envelope. */
  recordsOf({ start, end }: Span): readonly string[] {
    const first = this.records[start.index]!;
    return end === undefined || end === start ? [first] : [first, this.records[end.index]!];
  }

  /** As the API sent them, in one JSON text: `start` and `end` if there are two. */
  text(span: Span): string {
    const [start, end] = this.recordsOf(span);
    return readableJson(end === undefined ? start! : `{"start":${start},"end":${end}}`);
  }

  /** `undefined` if the call's context is not recorded. */
  modelCallOf(span: Span): Span | undefined {
    const isCounted = ({ contextTokens }: Span) => contextTokens !== undefined;
    const call = modelCallOf(this.model.spans.values(), span, isCounted);
    if (call === undefined || isCounted(call)) return call;
    return recordedContext(this.recordsOf(call).map(eventIn)) && call;
  }

  /** @param agentId `""` is the main agent */
  modelCalls(agentId: string): RecordedCall[] {
    const calls: Span[] = [];
    walkSpans(this.model.roots, (span) => {
      if (isModelCall(span) && span.agentId === agentId) calls.push(span);
    });
    return inTraceOrder(calls).map((span) => ({
      ...tracedCall(span),
      records: this.recordsOf(span),
      answer: textLine(answerSubject(span)).text,
    }));
  }

  toolCall(span: Span): RecordedToolCall | undefined {
    if (span.kind !== "tool") return undefined;
    const start = eventIn(this.records[span.start.index]!);
    const end = span.end === undefined ? {} : eventIn(this.records[span.end.index]!);
    return { name: span.name, input: start.input ?? start.args, end };
  }

  /** `{}` without such an event. */
  endOfCall(callId: string): JsonObject {
    const end = this.model.events.findLast(
      ({ kind, phase, key }) => kind === "tool" && phase === "end" && key === callId,
    );
    return end === undefined ? {} : eventIn(this.records[end.index]!);
  }

  /** @param callId the vendor's id */
  stepOfCall(callId: string): string | undefined {
    return this.model.events.find(
      ({ kind, phase, key }) => kind === "tool" && phase === "start" && key === callId,
    )?.id;
  }

  /** The last job's prompt, else the last turn's, cut if very long; `""` without both. */
  agentPrompt(agentId: string): string {
    for (const kind of ["job", "turn"]) {
      const began = this.model.events.findLast(
        (event) => event.kind === kind && event.phase === "start" && event.agentId === agentId,
      );
      const event = began && cutStrings(eventIn(this.records[began.index]!)).value;
      const prompt = isJsonObject(event) ? promptIn(event) : undefined;
      if (prompt !== undefined) return prompt;
    }
    return "";
  }
}

function readEvent(record: string, index: number, previousAt: number): EventFacts {
  const value = parseJson(record);
  return readEventFacts(
    isJsonObject(value) ? value : { event: { type: "unknown", value } },
    index,
    previousAt,
  );
}
