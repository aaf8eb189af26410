import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import type { SpanKind, SpanState, SpanTotals } from "../../../../src/domain/spans/span.js";
import type { OrchestrationAgent } from "../../../../src/domain/trace/orchestration.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import type { TokenUsage } from "../../../../src/domain/usage/token-usage.js";
import type { ApiProblem } from "../../api/api-problem.js";
import type { UnreadableRecord } from "../../api/fetch-records.js";
import type { AddressQuery } from "../../model/address/address.js";
import type { AxisSegment } from "../../model/charts/time-axis.js";
import { readOrder, type TraceLayout } from "../../model/trace/trace-order.js";
import type { LineCount } from "../messages/line-counts.js";

export interface TraceRow {
  readonly id: string;
  readonly sequence: number;
  readonly depth: number;
  readonly aside: boolean;
  readonly kind: SpanKind;
  readonly type: string;
  readonly name: string;
  readonly preview: string;
  /** Start of a file name in `preview`, which stays visible; -1 without one. */
  readonly nameAt: number;
  readonly full: string;
  readonly agentId: string;
  readonly state: SpanState;
  readonly at: number;
  readonly durationMs: number;
  /** Its start was derived, not recorded. */
  readonly derived: boolean;
  readonly error: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** Includes descendants; `undefined` without a model call, or until the cost is available. */
  readonly cost: Cost | undefined;
  readonly contextTokens: number | undefined;
  readonly addedTokens: number | undefined;
  /** Lines on the next level only. */
  readonly children: number;
  readonly repeats: CallRepeats | undefined;
  readonly bookkeeping: BookkeepingCounts;
  readonly lines: LineCount | undefined;
  readonly folded: boolean;
  readonly totals: SpanTotals;
  readonly hit: boolean;
}

export interface RowHolder {
  readonly id: string;
  /** -1 without a line. */
  readonly index: number;
  readonly kind: SpanKind;
  readonly name: string;
  readonly preview: string;
}

export interface CallRepeats {
  readonly calls: number;
  readonly durationMs: number;
}

export interface BookkeepingCounts {
  readonly hooks: number;
  readonly others: number;
  readonly failed: number;
}

export interface TraceQuery {
  readonly query: { readonly [name: string]: string };
  readonly order: TraceLayout;
  readonly foldGaps: boolean;
  /** The list by sequence always displays bookkeeping. */
  readonly bookkeeping: boolean;
}

export interface TraceViewModel {
  /** Increases whenever rows may have changed. */
  readonly version: number;
  readonly queryKey: string;
  readonly rows: number;
  readonly first: readonly TraceRow[];
  readonly from: number;
  readonly to: number;
  readonly axis: readonly AxisSegment[];
  readonly errors: number;
}

interface OverviewMark {
  readonly x: number;
  readonly id: string;
}

/** `x` is a position on the overview's own axis, from 0 to 1. */
export interface TraceOverview {
  readonly axis: readonly AxisSegment[];
  /** Main agent only; thinned to peaks and drops if there are very many calls. */
  readonly curve: readonly (OverviewMark & { readonly at: number; readonly tokens: number })[];
  readonly peakTokens: number;
  /** Maximum tokens of the model with the largest context; `undefined` if unavailable. */
  readonly window: number | undefined;
  readonly errors: readonly OverviewMark[];
  readonly compactions: readonly OverviewMark[];
  readonly agents: readonly { readonly x0: number; readonly x1: number; readonly id: string }[];
}

export interface Facet {
  readonly value: string;
  readonly count: number;
}

export interface TracedAgent {
  readonly id: string;
  readonly name: string;
  /** Includes the agents that it spawned. */
  readonly totals: SpanTotals;
  /** Includes the agents that it spawned. */
  readonly usage: TokenUsage;
  /** `undefined` without model calls, or until the cost is available. */
  readonly cost: Cost | undefined;
  readonly models: readonly string[];
  readonly spanId: string;
  /** `agentId` of the caller: `""` is the main agent. */
  readonly requestedBy: { readonly callId: string; readonly agentId: string } | undefined;
}

export type SessionListName = "trace" | "messages" | "orchestration";

/** Records that could not be read; `trace` includes its orchestration events. */
type SessionWarnings = { readonly [list in SessionListName]: readonly UnreadableRecord[] };

export interface SessionState {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly item: InspectorSessionItem | undefined;
  readonly agents: readonly OrchestrationAgent[];
  /** Each increases when its list has changed. */
  readonly traceVersion: number;
  readonly messagesVersion: number;
  readonly events: number;
  readonly bookkeeping: number;
  /** While true, rows may be inserted between visible rows. */
  readonly loading: boolean;
  readonly warnings: SessionWarnings;
  readonly problem: ApiProblem | undefined;
  readonly totals: SpanTotals;
  /** Id of the step that decides the state; `undefined` until the trace is loaded, and without such a step. */
  readonly stateStep: string | undefined;
  readonly models: readonly string[];
  readonly kinds: readonly Facet[];
  readonly tools: readonly Facet[];
  readonly tracedAgents: readonly TracedAgent[];
  readonly usage: TokenUsage;
  /** All model calls; `undefined` if not available yet. */
  readonly cost: Cost | undefined;
  readonly view: TraceViewModel;
  readonly from: number;
  readonly to: number;
  readonly activeMs: number;
  readonly overview: TraceOverview;
}

interface AnswerText {
  readonly id: string;
  readonly type: string;
  readonly text: string;
}

interface AnswerCall {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
}

export interface CallAnswer {
  readonly texts: readonly AnswerText[];
  readonly calls: readonly AnswerCall[];
  readonly more: number;
}

export interface BookkeepingList {
  readonly records: readonly {
    readonly id: string;
    readonly type: string;
    readonly preview: string;
    readonly error: string | undefined;
  }[];
  readonly more: number;
}

export interface SpanDetail {
  readonly row: TraceRow;
  readonly start: unknown;
  readonly end: unknown;
  readonly cut: boolean;
  readonly answer: CallAnswer | undefined;
  readonly bookkeeping: BookkeepingList;
  readonly ancestors: readonly { readonly id: string; readonly kind: SpanKind; readonly name: string }[];
  /** Members of a model call's events that contain its context. */
  readonly inputs: readonly string[];
  /** Its own model call, else the last one before it. The Context view displays that context. */
  readonly modelCall: string | undefined;
}

const QUERY_NAMES = ["kind", "hide", "tool", "agent", "errors", "from", "to"];

export function traceQuery(query: AddressQuery): TraceQuery {
  return {
    query: Object.fromEntries(Object.entries(query).filter(([name]) => QUERY_NAMES.includes(name))),
    order: readOrder(query),
    foldGaps: query.gaps !== "show",
    bookkeeping: query.bookkeeping === "show",
  };
}

export function traceQueryKey({ query, ...how }: TraceQuery): string {
  return JSON.stringify([Object.entries(query).sort(), how]);
}
