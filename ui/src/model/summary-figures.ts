import type { CallTotals } from "../../../src/domain/analysis/call-totals.js";
import type { SessionSummary } from "../../../src/domain/analysis/session-summary.js";
import type { InspectorSessionItem, TokenUsage } from "../../../src/domain/session/session.js";
import type { SpanTotals } from "../../../src/domain/spans/span.js";
import type { Cost } from "../../../src/domain/usage/money.js";
import { goesOn } from "./address.js";

/** The totals of a session: those of its summary, and until it is there what the list and the trace say. */
export interface SummaryFigures {
  readonly cost: Cost | undefined;
  readonly usage: TokenUsage | undefined;
  readonly turns: number | undefined;
  readonly modelCalls: number | undefined;
  readonly toolCalls: number | undefined;
  readonly wholeMs: number | undefined;
  /** Whether a sum over the calls is known, or not yet. */
  readonly total: CallTotals | undefined;
  /** Of a session that goes on, before its summary: more may have been used already. */
  readonly isSoFar: boolean;
}

/** What is known of a session beside its summary. */
export interface ListedTotals {
  readonly item: InspectorSessionItem | undefined;
  /** Whether something of the trace is still to come: then its counts are not the last ones. */
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
