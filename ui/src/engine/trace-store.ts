import { recordedContext } from "../../../src/domain/conversation/recorded-context.js";
import { isJsonObject, type JsonObject, parseJson } from "../../../src/domain/json/json.js";
import type { EventFacts } from "../../../src/domain/spans/event-facts.js";
import { readEventFacts } from "../../../src/domain/spans/event-facts.js";
import { isModelCall, modelCallOf, tracedCall } from "../../../src/domain/spans/model-call-of.js";
import { isOwnFailure, type Span, walkSpans } from "../../../src/domain/spans/span.js";
import { textLine } from "../../../src/domain/text/subject-line.js";
import { answerSubject } from "../model/answer.js";
import type { RecordedToolCall } from "../model/call-changes.js";
import { promptIn } from "../model/job-prompt.js";
import { type NextIndex, nextIndex } from "../model/next-index.js";
import { type TimeAxis, timeAxis } from "../model/time-axis.js";
import { readFilters, type TraceFilters } from "../model/trace-filters.js";
import { eventSpans, inTraceOrder, type TraceModel, traceModel } from "../model/trace-model.js";
import {
  DEFAULT_FOLDS,
  type FoldState,
  listLines,
  reveal,
  sortedLines,
  type TraceLine,
  toggleFold,
  treeLines,
} from "../model/trace-rows.js";
import { CallCosts } from "./call-costs.js";
import type { RecordedCall } from "./context-store.js";
import { LineCounts } from "./line-counts.js";
import { PAGE_ROWS } from "./list-protocol.js";
import { cutStrings, eventIn, readableJson } from "./record-json.js";
import { spanDetail } from "./span-detail.js";
import type { SpanDetail, TraceQuery, TraceRow, TraceViewModel } from "./trace-protocol.js";
import { traceQueryKey } from "./trace-protocol.js";
import { rowSubject, traceRow } from "./trace-row.js";

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
  #indexes: ReadonlyMap<string, number> = new Map();
  #axis: TimeAxis = timeAxis(0, 1, []);
  #hits: ReadonlySet<number> = new Set();
  /** A record of bookkeeping that has a row because somebody opened it. */
  #opened: Span | undefined;
  #directory = "";
  readonly #lineCounts: LineCounts;
  /** The span that was made visible last, by its id. */
  #located: string | undefined;
  #version = 0;
  #viewModel: TraceViewModel;

  /** What each step cost. */
  readonly costs: CallCosts;

  /**
   * @param base the address of the API, which knows what models cost
   * @param onChange called when rows have changed by themselves
   */
  constructor(base: string, query: TraceQuery, signal: AbortSignal, onChange: () => void) {
    this.#query = query;
    const changed = () => {
      this.#rebuild();
      onChange();
    };
    this.#lineCounts = new LineCounts(changed);
    this.costs = new CallCosts(base, signal, changed);
    this.#viewModel = this.#rebuild();
  }

  get viewModel(): TraceViewModel {
    return this.#viewModel;
  }

  get foldsGaps(): boolean {
    return this.#query.foldGaps;
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
    this.#opened = this.#opened && this.model.spans.get(this.#opened.id);
    this.#eventSpans = undefined;
    this.costs.update(this.model);
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
    const line = this.#lines[this.#indexes.get(id) ?? -1];
    if (line !== undefined) this.#folds = toggleFold(line, this.#folds);
    return this.#rebuild();
  }

  /** Folds turns and what is in them, or opens everything. */
  foldAll(fold: boolean): TraceViewModel {
    const ids = new Set<string>();
    for (const { id, children, bookkeeping } of this.model.spans.values()) {
      if (children.length + bookkeeping.length > 0) ids.add(id);
    }
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
    this.#located = id;
    const opened = this.model.bookkeeping.has(span) ? span : undefined;
    const isOther = opened !== this.#opened && !this.#query.bookkeeping;
    this.#opened = opened;
    const isFoldedAway = this.#query.order === "tree" && !this.#indexes.has(span.id);
    if (isFoldedAway) this.#folds = reveal(span, this.#folds);
    if (isFoldedAway || isOther) this.#rebuild();
    return { view: this.#viewModel, index: this.#indexes.get(span.id) ?? -1 };
  }

  /** The event of a sequence, and whether the filters hide it. */
  eventAt(sequence: number): { readonly id: string; readonly hidden: boolean } | undefined {
    const event = this.#events.find((known) => known.sequence === sequence);
    if (event === undefined) return undefined;
    return { id: event.id, hidden: !this.#allInOrder(true).includes(this.#spanOf(event.id)!) };
  }

  /**
   * The next span with an error, in the order of the lines.
   *
   * @param from the id of the selected span. Default is the one that was located last, if any
   * @param around begins again at the other end
   */
  findError(
    from: string | undefined = this.#located,
    step: 1 | -1,
    around: boolean,
  ): NextIndex & { readonly id: string | undefined } {
    const order = this.#allInOrder();
    const here = from === undefined ? -1 : order.indexOf(this.#spanOf(from)!);
    const failed = [...order.keys()].filter((at) => isOwnFailure(order[at]!));
    const next = nextIndex(failed, here, step, around);
    return { ...next, id: next.index === undefined ? undefined : order[next.index]!.id };
  }

  /** What a step is about, as its row says it; `""` where it is not known. */
  subject(id: string): string {
    const span = this.#spanOf(id);
    return span === undefined ? "" : rowSubject(span, this.directory).text;
  }

  detail(id: string): SpanDetail | undefined {
    const span = this.#spanOf(id);
    if (span === undefined) return undefined;
    const detail = spanDetail(span, this.records, this.#rowContext);
    return { ...detail, modelCall: this.#modelCallOf(span)?.id };
  }

  /** The model call that a step belongs to; `undefined` where nothing says what that was given. */
  #modelCallOf(span: Span): Span | undefined {
    const isCounted = ({ contextTokens }: Span) => contextTokens !== undefined;
    const call = modelCallOf(this.model.spans.values(), span, isCounted);
    if (call === undefined || isCounted(call)) return call;
    return recordedContext(this.#recordsOf(call).map(eventIn)) && call;
  }

  /** The envelopes of a span as the API sent them: one JSON text, with a start and an end where it has both. */
  text(id: string): string {
    const span = this.#spanOf(id);
    if (span === undefined) return "";
    const [start, end] = this.#recordsOf(span);
    return readableJson(end === undefined ? start! : `{"start":${start},"end":${end}}`);
  }

  /** The envelopes of a span as JSON text: its start, and its end where that is another. */
  recordsOf(id: string): readonly string[] {
    const span = this.#spanOf(id);
    return span === undefined ? [] : this.#recordsOf(span);
  }

  #recordsOf({ start, end }: Span): readonly string[] {
    const first = this.records[start.index]!;
    return end === undefined || end === start ? [first] : [first, this.records[end.index]!];
  }

  /** The model calls of an agent; `""` is the main agent. */
  modelCalls(agentId: string): RecordedCall[] {
    const calls: Span[] = [];
    walkSpans(this.model.roots, (span) => {
      if (isModelCall(span) && span.agentId === agentId) calls.push(span);
    });
    return inTraceOrder(calls).map((span) => ({
      ...tracedCall(span),
      records: this.#recordsOf(span),
      answer: textLine(answerSubject(span)).text,
    }));
  }

  /** A tool call, uncut. */
  toolCall(id: string): RecordedToolCall | undefined {
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

  /** The id of the step that a tool call is, by the vendor's id of the call. */
  stepOfCall(callId: string): string | undefined {
    return this.#events.find(({ kind, phase, key }) => kind === "tool" && phase === "start" && key === callId)
      ?.id;
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

  /** The folder of the session, as far as anything names one. */
  get directory(): string {
    return this.#directory || (this.model.directories.values().next().value ?? "");
  }

  get #rowContext() {
    const { directories } = this.model;
    return {
      hits: this.#hits,
      costOf: (span: Span) => this.costs.of(span),
      directoryOf: (traceId: string) => directories.get(traceId) ?? this.directory,
      linesOf: (span: Span) =>
        this.#lineCounts.of(span, this.records[span.start.index]!, () => this.toolCall(span.id)),
    };
  }

  #spanOf(id: string): Span | undefined {
    return this.#query.order === "list"
      ? this.#listSpans().find((span) => span.id === id)
      : this.model.spans.get(id);
  }

  #listSpans(): readonly Span[] {
    this.#eventSpans ??= eventSpans(this.model);
    return this.#eventSpans;
  }

  /** All spans that the filters let through, folded or not, and their bookkeeping. @param aside also those that they lie in */
  #allInOrder(aside = false): readonly Span[] {
    if (this.#query.order !== "tree") return this.#lines.map(({ span }) => span);
    const ids = new Set([...this.model.spans.values()].map(({ id }) => id));
    const unfolded = { folded: new Set<string>(), unfolded: ids };
    return treeLines(this.model.roots, unfolded, readFilters(this.#query.query), () => true)
      .filter((line) => aside || !line.aside)
      .map(({ span }) => span);
  }

  #rebuild(): TraceViewModel {
    const { query, foldGaps } = this.#query;
    const filters = readFilters(query);
    this.#axis = timeAxis(
      filters.from ?? this.model.from,
      filters.to ?? this.model.to,
      foldGaps ? this.model.gaps : [],
    );
    this.#lines = this.#linesFor(filters);
    this.#indexes = new Map(this.#lines.map(({ span }, index) => [span.id, index]));
    this.#version++;
    this.#viewModel = this.#describe();
    return this.#viewModel;
  }

  #linesFor(filters: TraceFilters): readonly TraceLine[] {
    const { order, bookkeeping } = this.#query;
    if (order === "list") return listLines(this.#listSpans(), filters);
    if (order !== "tree") return sortedLines(this.model.spans.values(), filters, order);
    const isShown = (record: Span) => bookkeeping || record === this.#opened;
    return treeLines(this.model.roots, this.#folds, filters, isShown);
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

function readEvent(record: string, index: number, previousAt: number): EventFacts {
  const value = parseJson(record);
  return readEventFacts(
    isJsonObject(value) ? value : { event: { type: "unknown", value } },
    index,
    previousAt,
  );
}
