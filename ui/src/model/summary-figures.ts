import type { CallTotals } from "../../../src/domain/cost/call-totals.js";
import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import type { SpanTotals } from "../../../src/domain/spans/span.js";
import type { SessionSummary } from "../../../src/domain/summary/session-summary.js";
import type { Cost } from "../../../src/domain/usage/money.js";
import type { TokenUsage } from "../../../src/domain/usage/token-usage.js";
import { goesOn } from "./address.js";

/** The totals of a session: those of its summary, and until it is there what the list and the trace say. */
export interface SummaryFigures {
  readonly cost: Cost | undefined;
  readonly usage: TokenUsage | undefined;
  readonly turns: number | undefined;
  readonly modelCalls: number | undefined;
  readonly toolCalls: number | undefined;
  readonly wholeMs: number | undefined;
  /** A sum over the calls; `undefined` until it is available. */
  readonly total: CallTotals | undefined;
  /** True for a running session without its summary: more may have been used already. */
  readonly isSoFar: boolean;
}

/** Facts about a session besides its summary. */
export interface ListedTotals {
  readonly item: InspectorSessionItem | undefined;
  /** True if a part of the trace has not been loaded: its counts are not final. */
  readonly loading: boolean;
  readonly totals: SpanTotals;
}

export function summaryFigures(
  summary: SessionSummary | undefined,
  session: ListedTotals | undefined,
): SummaryFigures {
  if (summary !== undefined) {
    const { total, counts, time } = summary;
    const { turns, modelCalls, toolCalls } = counts;
    const { cost, usage } = total;
    return { cost, usage, turns, modelCalls, toolCalls, wholeMs: time.wholeMs, total, isSoFar: false };
  }
  const item = session?.item;
  const counted = session?.loading === false ? session.totals : undefined;
  return {
    cost: item?.cost,
    usage: item?.usage,
    turns: item?.turns,
    modelCalls: counted?.llmCalls,
    toolCalls: counted?.toolCalls,
    wholeMs: undefined,
    total: undefined,
    isSoFar: goesOn(item?.status),
  };
}
