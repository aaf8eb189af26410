import { isJsonObject, type JsonObject } from "../../../src/domain/json.js";
import type { ToolCall } from "../model/call-changes.js";
import type { EventFacts } from "../model/event-facts.js";
import { readEventFacts } from "../model/event-facts.js";
import { promptIn } from "../model/job-prompt.js";
import { type Span, spanError } from "../model/span.js";
import { type TimeAxis, timeAxis } from "../model/time-axis.js";
import { readFilters } from "../model/trace-filters.js";
import { eventSpans, type TraceModel, traceModel } from "../model/trace-model.js";
import {
  DEFAULT_FOLDS,
  type FoldState,
  listLines,
  reveal,
  type TraceLine,
  toggleFold,
  treeLines,
} from "../model/trace-rows.js";
import { readAnswer } from "./answer.js";
import { PAGE_ROWS } from "./list-protocol.js";
import { cutStrings, eventIn, parseExactly, readableJson } from "./record-json.js";
import type { SpanDetail, TraceQuery, TraceRow, TraceViewModel } from "./trace-protocol.js";
import { traceQueryKey } from "./trace-protocol.js";
import { traceRow } from "./trace-row.js";

/** Holds the trace of a session and answers for the rows on the screen. */
export class TraceStore {
  model: TraceModel = traceModel([], new Set());
  /** The envelopes as JSON text, in the order of the trace. */
  records: readonly string[] = [];
  #events: EventFacts[] = [];
  #eventSpans: readonly Span[] | undefined;
  #folds: FoldState = DEFAULT_FOLDS;
  #query: TraceQuery;
  #lines: readonly TraceLine[] = [];
  #places: ReadonlyMap<string, number> = new Map();
  #axis: TimeAxis = timeAxis(0, 1, []);
  #hits: ReadonlySet<number> = new Set();
  #directory = "";
  #version = 0;
  #viewModel: TraceViewModel;

  constructor(query: TraceQuery) {
    this.#query = query;
    this.#viewModel = this.#rebuild();
  }

  get viewModel(): TraceViewModel {
    return this.#viewModel;
  }

  /** Replaces the trace. Records that are the same as before are not parsed again. */
  update(records: readonly string[], agents: ReadonlySet<string>): void {
    const known = this.#events;
    const events: EventFacts[] = [];
    for (const [index, record] of records.entries()) {
      const same = this.records[index] === record ? known[index] : undefined;
      events.push(same ?? readEvent(record, index, events.at(-1)?.at ?? 0));
    }
    this.records = records;
    this.#events = events;
    this.model = traceModel(events, agents);
    this.#eventSpans = undefined;
    this.#rebuild();
  }

  /** Sets the folder of the session, for a trace that names none. */
  workIn(directory: string): void {
    if (directory === this.#directory) return;
    this.#directory = directory;
    this.#rebuild();
  }

  /** Marks envelopes by their sequence. @returns whether others were marked before */
  mark(sequences: ReadonlySet<number>): boolean {
    if (sequences.size === this.#hits.size && [...sequences].every((known) => this.#hits.has(known)))
      return false;
    this.#hits = sequences;
    this.#rebuild();
    return true;
  }

  view(query: TraceQuery): TraceViewModel {
    this.#query = query;
    return this.#rebuild();
  }

  toggle(id: string): TraceViewModel {
    const span = this.model.spans.get(id);
    if (span !== undefined) this.#folds = toggleFold(span, this.#folds);
    return this.#rebuild();
  }

  /** Folds turns and what is in them, or opens everything. */
  foldAll(fold: boolean): TraceViewModel {
    const ids = new Set<string>();
    for (const span of this.model.spans.values()) if (span.children.length > 0) ids.add(span.id);
    this.#folds = fold ? { folded: ids, unfolded: new Set() } : { folded: new Set(), unfolded: ids };
    return this.#rebuild();
  }

  rows(from: number, to: number): TraceRow[] {
    const context = this.#rowContext;
    return this.#lines.slice(from, to).map((line) => traceRow(line, context));
  }

  /** Makes a span visible. @returns its line, -1 where the trace or the filters do not have it */
  locate(id: string): { view: TraceViewModel; index: number } {
    const span = this.#spanOf(id);
    if (span === undefined) return { view: this.#viewModel, index: -1 };
    if (!this.#places.has(span.id) && !this.#query.asList) {
      this.#folds = reveal(span, this.#folds);
      this.#rebuild();
    }
    return { view: this.#viewModel, index: this.#places.get(span.id) ?? -1 };
  }

  /** The event of a sequence, and whether the filters hide it. */
  eventAt(sequence: number): { readonly id: string; readonly hidden: boolean } | undefined {
    const event = this.#events.find((known) => known.sequence === sequence);
    if (event === undefined) return undefined;
    return { id: event.id, hidden: !this.#allInOrder(true).includes(this.#spanOf(event.id)!) };
  }

  /**
   * The next span with an error, in the order of the lines; after the last comes the first.
   *
   * @param from the id of the selected span
   */
  findError(from: string | undefined, step: 1 | -1): string | undefined {
    const order = this.#allInOrder();
    const here = from === undefined ? -1 : order.indexOf(this.#spanOf(from)!);
    const failed = [...order.keys()].filter((at) => isOwnError(order[at]!));
    const next =
      step === 1
        ? (failed.find((at) => at > here) ?? failed[0])
        : (failed.findLast((at) => at < here) ?? failed.at(-1));
    return next === undefined ? undefined : order[next]!.id;
  }

  detail(id: string): SpanDetail | undefined {
    const span = this.#spanOf(id);
    if (span === undefined) return undefined;
    const start = cutStrings(parseExactly(this.records[span.start.index]!));
    const hasEnd = span.end !== undefined && span.end !== span.start;
    const end = hasEnd ? cutStrings(parseExactly(this.records[span.end!.index]!)) : undefined;
    const ancestors: { id: string; kind: Span["kind"]; name: string }[] = [];
    for (let at = span.parent; at !== undefined; at = at.parent) {
      ancestors.unshift({ id: at.id, kind: at.kind, name: at.name });
    }
    const calls = this.model.growth.filter(({ agentId }) => agentId === "");
    const seen = calls.findLastIndex(({ at }) => at <= span.start.at);
    const { directoryOf } = this.#rowContext;
    return {
      row: traceRow({ span, depth: 0, aside: false }, this.#rowContext),
      start: start.value,
      end: end?.value,
      cut: start.cut || end?.cut === true,
      answer: readAnswer(span, (index) => this.records[index]!, directoryOf(span.start.traceId)),
      ancestors,
      callNumber: seen === -1 || span.agentId !== "" ? undefined : seen,
    };
  }

  /** The envelopes of a span as the API sent them: one JSON text, with a start and an end where it has both. */
  text(id: string): string {
    const span = this.#spanOf(id);
    if (span === undefined) return "";
    const start = this.records[span.start.index]!;
    if (span.end === undefined || span.end === span.start) return readableJson(start);
    return readableJson(`{"start":${start},"end":${this.records[span.end.index]!}}`);
  }

  /** A tool call, uncut. */
  toolCall(id: string): ToolCall | undefined {
    const span = this.#spanOf(id);
    if (span?.kind !== "tool") return undefined;
    const start = eventIn(this.records[span.start.index]!);
    const end = span.end === undefined ? {} : eventIn(this.records[span.end.index]!);
    return { name: span.name, input: start.input ?? start.args, end };
  }

  /** The event that ended a tool call; `{}` where there is none. */
  endOfCall(callId: string): JsonObject {
    const end = this.#events.findLast(
      ({ kind, phase, key }) => kind === "tool" && phase === "end" && key === callId,
    );
    return end === undefined ? {} : eventIn(this.records[end.index]!);
  }

  /** What an agent was asked in its last job, else in its last turn; very long prompts are cut. `""` where neither is recorded. */
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

  get #rowContext() {
    const { directories } = this.model;
    const otherwise = this.#directory || (directories.values().next().value ?? "");
    return {
      folds: this.#folds,
      hits: this.#hits,
      directoryOf: (traceId: string) => directories.get(traceId) ?? otherwise,
    };
  }

  #spanOf(id: string): Span | undefined {
    return this.#query.asList ? this.#listSpans().find((span) => span.id === id) : this.model.spans.get(id);
  }

  #listSpans(): readonly Span[] {
    this.#eventSpans ??= eventSpans(this.model);
    return this.#eventSpans;
  }

  /** All spans that the filters let through, folded or not. @param aside also those that they lie in */
  #allInOrder(aside = false): readonly Span[] {
    if (this.#query.asList) return this.#lines.map(({ span }) => span);
    const ids = new Set([...this.model.spans.values()].map(({ id }) => id));
    const unfolded = { folded: new Set<string>(), unfolded: ids };
    return treeLines(this.model.roots, unfolded, readFilters(this.#query.query))
      .filter((line) => aside || !line.aside)
      .map(({ span }) => span);
  }

  #rebuild(): TraceViewModel {
    const { query, asList, foldGaps } = this.#query;
    const filters = readFilters(query);
    this.#axis = timeAxis(
      filters.from ?? this.model.from,
      filters.to ?? this.model.to,
      foldGaps ? this.model.gaps : [],
    );
    this.#lines = asList
      ? listLines(this.#listSpans(), filters)
      : treeLines(this.model.roots, this.#folds, filters);
    this.#places = new Map(this.#lines.map(({ span }, index) => [span.id, index]));
    this.#version++;
    this.#viewModel = this.#describe();
    return this.#viewModel;
  }

  #describe(): TraceViewModel {
    return {
      version: this.#version,
      queryKey: traceQueryKey(this.#query),
      rows: this.#lines.length,
      first: this.rows(0, PAGE_ROWS),
      from: this.#axis.segments[0]?.from ?? 0,
      to: this.#axis.segments.at(-1)?.to ?? 0,
      axis: this.#axis.segments,
      errors: this.model.totals.errors,
    };
  }
}

/** Whether a span failed by itself, and not because of a span in it. */
function isOwnError(span: Span): boolean {
  return spanError(span) !== undefined && !span.children.some(({ totals }) => totals.errors > 0);
}

function readEvent(record: string, index: number, previousAt: number): EventFacts {
  const value: unknown = JSON.parse(record);
  return readEventFacts(
    isJsonObject(value) ? value : { event: { type: "unknown", value } },
    index,
    previousAt,
  );
}
