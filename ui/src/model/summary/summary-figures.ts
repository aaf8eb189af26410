import type { CallTotals } from "../../../../src/domain/cost/call-totals.js";
import { type InspectorSessionItem, isUnfinished } from "../../../../src/domain/session/session.js";
import type { SpanTotals } from "../../../../src/domain/spans/span.js";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import type { TokenUsage } from "../../../../src/domain/usage/token-usage.js";

/** From the summary; until that is available, from the list and the trace. */
export interface SummaryFigures {
  readonly cost: Cost | undefined;
  readonly usage: TokenUsage | undefined;
  readonly turns: number | undefined;
  readonly modelCalls: number | undefined;
  readonly toolCalls: number | undefined;
  readonly totalMs: number | undefined;
  /** Over all calls; `undefined` until available. */
  readonly total: CallTotals | undefined;
  /** A running session without its summary may have used more. */
  readonly isSoFar: boolean;
}

export interface ListedTotals {
  readonly item: InspectorSessionItem | undefined;
  /** A part of the trace is not loaded: its counts are not final. */
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
    return { cost, usage, turns, modelCalls, toolCalls, totalMs: time.wholeMs, total, isSoFar: false };
  }
  const item = session?.item;
  const counted = session?.loading === false ? session.totals : undefined;
  return {
    cost: item?.cost,
    usage: item?.usage,
    turns: item?.turns,
    modelCalls: counted?.llmCalls,
    toolCalls: counted?.toolCalls,
    totalMs: undefined,
    total: undefined,
    isSoFar: isUnfinished(item),
  };
}
