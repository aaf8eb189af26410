import type { CacheMiss } from "../../../../src/domain/cost/cache-misses.js";
import { areUncounted, type CallTotals } from "../../../../src/domain/cost/call-totals.js";
import {
  ABSENT,
  formatCost,
  formatCount,
  formatDuration,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import { tokensOf } from "../../model/summary/summary-rows.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";

/** Uncounted calls have no cost. */
export function costText(totals: CallTotals): string {
  return totals.calls > 0 && areUncounted(totals) ? ABSENT : formatCost(totals.cost);
}

/** Absent if uncounted. */
export function tokensText(totals: CallTotals): string {
  return areUncounted(totals) ? ABSENT : formatTokens(tokensOf(totals));
}

export function evidenceText({ cause, evidence }: CacheMiss): string {
  const {
    idleMs,
    lifetimeMs,
    isLifetimeRecorded,
    heldTokens,
    servedTokens,
    models,
    rewrittenAt,
    areToolsRecorded,
    areMessagesRecorded,
  } = evidence;
  const idle = formatDuration(idleMs);
  if (cause === "idle") {
    return strings.idleFor(idle, formatDuration(lifetimeMs), isLifetimeRecorded);
  }
  if (cause === "tools") {
    return strings.toolsWere(formatTokens(heldTokens), formatTokens(servedTokens));
  }
  if (cause === "model" && models !== undefined) return strings.modelsWere(...models);
  if (cause === "rewritten" && rewrittenAt !== undefined)
    return strings.rewrittenAt(formatCount(rewrittenAt));
  return cause === "unknown" ? strings.looked(idle, areToolsRecorded, areMessagesRecorded) : "";
}
