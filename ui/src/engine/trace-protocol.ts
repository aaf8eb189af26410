import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import type { SpanKind, SpanState, SpanTotals } from "../../../src/domain/spans/span.js";
import type { OrchestrationAgent } from "../../../src/domain/trace/orchestration.js";
import type { Cost } from "../../../src/domain/usage/money.js";
import type { TokenUsage } from "../../../src/domain/usage/token-usage.js";
import type { ApiProblem } from "../api/api-problem.js";
import type { UnreadableRecord } from "../api/fetch-records.js";
import type { AddressQuery } from "../model/address.js";
import type { LiveState } from "../model/live-state.js";
import type { AxisSegment } from "../model/time-axis.js";
import { readOrder, type TraceLayout } from "../model/trace-order.js";
import type { LineCount } from "./line-counts.js";

/** One line of the waterfall, as the page shows it. */
export interface TraceRow {
  readonly id: string;
  readonly sequence: number;
  readonly depth: number;
  readonly aside: boolean;
  readonly kind: SpanKind;
  readonly type: string;
  readonly name: string;
  /** Subject in one line. */
  readonly preview: string;
  /** Index in `preview` where the name of a file begins, which is always visible; -1 if there is no file name. */
  readonly nameAt: number;
  /** As much of what it is about as a tooltip can hold. */
  readonly whole: string;
  readonly agentId: string;
  readonly state: SpanState;
  readonly at: number;
  readonly durationMs: number;
  /** The instant of its start was derived, not recorded. */
  readonly derived: boolean;
  readonly error: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** Cost of the step with its descendants; `undefined` if they contain no model call, or if the cost is not available yet. */
  readonly cost: Cost | undefined;
  readonly contextTokens: number | undefined;
  readonly addedTokens: number | undefined;
  /** Number of lines in it, on the next level only. */
  readonly children: number;
  /** Of a run of the same tool call. */
  readonly repeats: CallRepeats | undefined;
  /** Notes of the runtime about it. */
  readonly bookkeeping: BookkeepingCounts;
  /** Of an edit: the lines that it added and removed. */
  readonly lines: LineCount | undefined;
  readonly folded: boolean;
  readonly totals: SpanTotals;
  /** True if it matches a search. */
  readonly hit: boolean;
}

/** A turn or a sub-agent that a row lies in. */
export interface RowHolder {
  readonly id: string;
  /** Its line; -1 where it has none. */
  readonly index: number;
  readonly kind: SpanKind;
  readonly name: string;
  /** Subject in one line. */
  readonly preview: string;
}

/** The calls that one row stands for, without what was done between them. */
export interface CallRepeats {
  readonly calls: number;
  readonly durationMs: number;
}

export interface BookkeepingCounts {
  readonly hooks: number;
  readonly others: number;
  readonly failed: number;
}

/** Display options of the trace. */
export interface TraceQuery {
  readonly query: { readonly [name: string]: string };
  readonly order: TraceLayout;
  readonly foldGaps: boolean;
  /** Bookkeeping has rows, below what it belongs to. The list by sequence always has it. */
  readonly bookkeeping: boolean;
}

export interface TraceViewModel {
  /** Increases whenever rows may have changed. */
  readonly version: number;
  /** The key of the query that it was made for. */
  readonly queryKey: string;
  readonly rows: number;
  /** The first of the rows. */
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

/** The complete session on one strip. `x` is a position on its own axis, from 0 to 1. */
export interface TraceOverview {
  readonly axis: readonly AxisSegment[];
  /** The contexts of the main agent's model calls; where there are very many, the peaks and the drops among them. */
  readonly curve: readonly (OverviewMark & { readonly at: number; readonly tokens: number })[];
  readonly peakTokens: number;
  /** Maximum number of tokens of the model that received the largest of them; `undefined` if it is not available. */
  readonly window: number | undefined;
  readonly errors: readonly OverviewMark[];
  readonly compactions: readonly OverviewMark[];
  readonly agents: readonly { readonly x0: number; readonly x1: number; readonly id: string }[];
}

export interface Facet {
  readonly value: string;
  readonly count: number;
}

/** A sub-agent as the trace shows it. */
export interface TracedAgent {
  readonly id: string;
  readonly name: string;
  /** Totals of the agent and of the agents that it spawned. */
  readonly totals: SpanTotals;
  /** The tokens of its model calls and of those that it spawned. */
  readonly usage: TokenUsage;
  /** Cost of these model calls; `undefined` if there are no calls, or if the cost is not available yet. */
  readonly cost: Cost | undefined;
  /** The models that answered it, without those that it spawned. */
  readonly models: readonly string[];
  /** Id of the span where it begins in the trace. */
  readonly spanId: string;
  /** The tool call that requested it, and the agent that made the call: `""` is the main agent. */
  readonly askedBy: { readonly callId: string; readonly agentId: string } | undefined;
}

/** The lists that the API has of each session. */
export type SessionListName = "trace" | "messages" | "orchestration";

/** Records of each list that the service could not read; those of the trace include the orchestration events in it. */
type SessionWarnings = { readonly [list in SessionListName]: readonly UnreadableRecord[] };

/** The session as the engine holds it, and how far it was loaded. */
export interface SessionState {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly item: InspectorSessionItem | undefined;
  readonly agents: readonly OrchestrationAgent[];
  /** Each increases when the trace, or the conversation, has changed. */
  readonly traceVersion: number;
  readonly messagesVersion: number;
  readonly events: number;
  /** Number of events that are bookkeeping of other events. */
  readonly bookkeeping: number;
  /** True if a part of the session has not been read yet: rows may be inserted between the visible rows. */
  readonly loading: boolean;
  readonly warnings: SessionWarnings;
  readonly problem: ApiProblem | undefined;
  readonly totals: SpanTotals;
  /** Current state of the session; `undefined` until enough of it has been read. */
  readonly live: LiveState | undefined;
  readonly models: readonly string[];
  readonly kinds: readonly Facet[];
  readonly tools: readonly Facet[];
  readonly tracedAgents: readonly TracedAgent[];
  readonly usage: TokenUsage;
  /** Cost of all model calls of the trace; `undefined` if it is not available yet. */
  readonly cost: Cost | undefined;
  /** The trace for the latest query. */
  readonly view: TraceViewModel;
  readonly from: number;
  readonly to: number;
  readonly activeMs: number;
  readonly overview: TraceOverview;
}

/** Text or thought of a model. It is cut if it is very long. */
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

/** All that came of a model call. */
export interface CallAnswer {
  readonly texts: readonly AnswerText[];
  readonly calls: readonly AnswerCall[];
  /** Number of other texts and calls. */
  readonly more: number;
}

/** Notes of the runtime about a step. */
export interface BookkeepingList {
  readonly records: readonly {
    readonly id: string;
    readonly type: string;
    readonly preview: string;
    readonly error: string | undefined;
  }[];
  /** Number of other records. */
  readonly more: number;
}

/** An event that somebody opened. */
export interface SpanDetail {
  readonly row: TraceRow;
  /** The envelopes it is made of; very long texts in them are cut. */
  readonly start: unknown;
  readonly end: unknown;
  readonly cut: boolean;
  /** Of a model call whose texts and tool calls are separate events. */
  readonly answer: CallAnswer | undefined;
  readonly bookkeeping: BookkeepingList;
  readonly ancestors: readonly { readonly id: string; readonly kind: SpanKind; readonly name: string }[];
  /** Of a model call: the members of its events that contain its context. */
  readonly given: readonly string[];
  /**
   * The model call that it is, is a part of, or was requested by, else the last one before it. The Context view displays the context of
   * that call.
   */
  readonly modelCall: string | undefined;
}

/** The entries of an address that decide which rows there are; the selection does not. */
const QUERY_NAMES = ["kind", "hide", "tool", "agent", "errors", "from", "to"];

/** The query of the trace that an address names. */
export function traceQuery(query: AddressQuery): TraceQuery {
  return {
    query: Object.fromEntries(Object.entries(query).filter(([name]) => QUERY_NAMES.includes(name))),
    order: readOrder(query),
    foldGaps: query.gaps !== "show",
    bookkeeping: query.bookkeeping === "show",
  };
}

/** Equal for equal queries. */
export function traceQueryKey({ query, ...how }: TraceQuery): string {
  return JSON.stringify([Object.entries(query).sort(), how]);
}
