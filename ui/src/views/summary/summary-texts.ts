import type { CacheMiss } from "../../../../src/domain/cost/cache-misses.js";
import { areUncounted, type CallTotals } from "../../../../src/domain/cost/call-totals.js";
import { isLowerBound } from "../../../../src/domain/usage/money.js";
import { hasNoPrice } from "../../model/sessions/session-costs.js";
import { tokensOf } from "../../model/summary/summary-rows.js";
import { formatCount, formatDollars, formatDuration, formatTokens } from "../../model/text/formats.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";

/** With the missing part: "≥$1.20, 3 calls without a price". Uncounted calls have no cost. */
export function costText(totals: CallTotals): string {
  const { cost, calls } = totals;
  if (hasNoPrice(cost)) return strings.noPrice;
  if (calls > 0 && areUncounted(totals)) return strings.unknown;
  const usd = `${isLowerBound(cost) ? "≥" : ""}${formatDollars(cost.usd)}`;
  return cost.unpricedCalls === 0 ? usd : `${usd}, ${strings.unpriced(formatCount(cost.unpricedCalls))}`;
}

/** "–" if uncounted. */
export function tokensText(totals: CallTotals): string {
  return areUncounted(totals) ? "–" : formatTokens(tokensOf(totals));
}

/** "≥" if some tokens have no price. */
export function dollarsText(usd: number, unpricedTokens: number): string {
  if (unpricedTokens === 0) return formatDollars(usd);
  return usd === 0 ? strings.noPrice : `≥${formatDollars(usd)}`;
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
