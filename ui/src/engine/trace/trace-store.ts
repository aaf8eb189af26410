import { isOwnFailure, type Span } from "../../../../src/domain/spans/span.js";
import type { RecordedToolCall } from "../../model/changes/call-changes.js";
import { type TimeAxis, timeAxis } from "../../model/charts/time-axis.js";
import { type NextIndex, nextIndex } from "../../model/lists/next-index.js";
import { readFilters } from "../../model/trace/trace-filters.js";
import { eventSpans, type TraceModel } from "../../model/trace/trace-model.js";
import {
  DEFAULT_FOLDS,
  type FoldState,
  reveal,
  type TraceLine,
  toggleFold,
} from "../../model/trace/trace-rows.js";
import { LineCounts } from "../messages/line-counts.js";
import { PAGE_ROWS } from "../sessions/list-protocol.js";
import { CallCosts } from "./call-costs.js";
import { spanDetail } from "./span-detail.js";
import { traceLines, unfoldedSteps } from "./trace-lines.js";
import type { RowHolder, SpanDetail, TraceQuery, TraceRow, TraceViewModel } from "./trace-protocol.js";
import { traceQueryKey } from "./trace-protocol.js";
import { TraceRecords } from "./trace-records.js";
import { rowSubject, traceRow } from "./trace-row.js";

export class TraceStore {
  readonly recorded = new TraceRecords();
  #eventSpans: readonly Span[] | undefined;
  #folds: FoldState = DEFAULT_FOLDS;
  #query: TraceQuery;
  #lines: readonly TraceLine[] = [];
  #indexes: ReadonlyMap<string, number> = new Map();
  #axis: TimeAxis = timeAxis(0, 1, []);
  #hits: ReadonlySet<number> = new Set();
  /** Visible because somebody opened it. */
  #opened: Span | undefined;
  #directory = "";
  readonly #lineCounts: LineCounts;
  #located: string | undefined;
  #version = 0;
  #viewModel: TraceViewModel;

  readonly costs: CallCosts;

  /**
   * @param base the API, for prices
   * @param onChange called after rows have changed by themselves
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

  get model(): TraceModel {
    return this.recorded.model;
  }

  get records(): readonly string[] {
    return this.recorded.records;
  }

  get foldsGaps(): boolean {
    return this.#query.foldGaps;
  }

  /** Unchanged records are not parsed again. */
  update(records: readonly string[], agents: ReadonlySet<string>): void {
    this.recorded.update(records, agents);
    this.#opened = this.#opened && this.model.spans.get(this.#opened.id);
    this.#eventSpans = undefined;
    this.costs.update(this.model);
    this.#rebuild();
  }

  /** For a trace without a folder. */
  workIn(directory: string): void {
    if (directory === this.#directory) return;
    this.#directory = directory;
    this.#rebuild();
  }

  /** @returns true if the marks have changed */
  mark(sequences: ReadonlySet<number>): boolean {
    if (sequences.size === this.#hits.size && [...sequences].every((existing) => this.#hits.has(existing)))
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

  /** @returns the span's line, -1 if the trace or the filters lack it */
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

  holders(index: number): RowHolder[] {
    const holders: RowHolder[] = [];
    for (let at = this.#lines[index]?.span.parent; at !== undefined; at = at.parent) {
      if (at.kind !== "turn" && at.kind !== "agent") continue;
      const { id, kind, name } = at;
      const preview = rowSubject(at, this.directory).text;
      holders.unshift({ id, index: this.#indexes.get(id) ?? -1, kind, name, preview });
    }
    return holders;
  }

  eventAt(sequence: number): { readonly id: string; readonly hidden: boolean } | undefined {
    const event = this.model.events.find((existing) => existing.sequence === sequence);
    if (event === undefined) return undefined;
    return { id: event.id, hidden: !this.#allInOrder(true).includes(this.#spanOf(event.id)!) };
  }

  /**
   * In the order of lines.
   * @param from id of the selected span. Default is the latest located span
   * @param around true to continue at the other end
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

  /** As in its row; `""` without such a step. */
  subject(id: string): string {
    const span = this.#spanOf(id);
    return span === undefined ? "" : rowSubject(span, this.directory).text;
  }

  detail(id: string): SpanDetail | undefined {
    const span = this.#spanOf(id);
    if (span === undefined) return undefined;
    const detail = spanDetail(span, this.records, this.#rowContext);
    return { ...detail, modelCall: this.recorded.modelCallOf(span)?.id };
  }

  /** As the API sent them, in one JSON text: `start` and `end` if there are two. */
  text(id: string): string {
    const span = this.#spanOf(id);
    return span === undefined ? "" : this.recorded.text(span);
  }

  /** Start, and end if that is another envelope. */
  recordsOf(id: string): readonly string[] {
    const span = this.#spanOf(id);
    return span === undefined ? [] : this.recorded.recordsOf(span);
  }

  toolCall(id: string): RecordedToolCall | undefined {
    const span = this.#spanOf(id);
    return span && this.recorded.toolCall(span);
  }

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

  /** @param aside also includes ancestors of matches */
  #allInOrder(aside = false): readonly Span[] {
    const { order } = this.#query;
    return order === "tree"
      ? unfoldedSteps(this.model, this.#query, aside)
      : this.#lines.map(({ span }) => span);
  }

  #rebuild(): TraceViewModel {
    const { query, foldGaps } = this.#query;
    const filters = readFilters(query);
    this.#axis = timeAxis(
      filters.from ?? this.model.from,
      filters.to ?? this.model.to,
      foldGaps ? this.model.gaps : [],
    );
    this.#lines = traceLines(this.model, this.#query, {
      folds: this.#folds,
      events: () => this.#listSpans(),
      opened: this.#opened,
      costOf: (span) => this.costs.of(span),
    });
    this.#indexes = new Map(this.#lines.map(({ span }, index) => [span.id, index]));
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
