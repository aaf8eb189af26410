import { costOfCall } from "../../../src/domain/analysis/call-totals.js";
import { isModelCall } from "../../../src/domain/spans/model-call-of.js";
import { type Span, spanUsage, walkSpans } from "../../../src/domain/spans/span.js";
import { addCost, type Cost, type PricedCall, type RatesOf } from "../../../src/domain/usage/money.js";
import { contextTokens } from "../../../src/domain/usage/token-counts.js";

/** What the price of a model call depends on; `undefined` of what needs no price, or can have none. */
export function pricedCallOf(span: Span): PricedCall | undefined {
  const { start, end } = span;
  const usage = spanUsage(span);
  const model = end?.name ?? start.name ?? "";
  const isRecorded = (end?.recordedUsd ?? start.recordedUsd) !== undefined;
  if (!isModelCall(span) || usage === undefined || model === "" || isRecorded) return undefined;
  const provider = end?.provider ?? start.provider;
  return { model, provider, at: start.at, contextTokens: contextTokens(usage) };
}

/** What each span cost with what is in it: of model calls, and of everything that holds one. A span without any is not there. */
export function spanCosts(roots: readonly Span[], ratesOf: RatesOf): Map<Span, Cost> {
  const order: Span[] = [];
  walkSpans(roots, (span) => order.push(span));
  const costs = new Map<Span, Cost>();
  for (let i = order.length - 1; i >= 0; i--) {
    const span = order[i]!;
    let sum = isModelCall(span) ? ownCost(span, ratesOf) : undefined;
    for (const child of span.children) {
      const cost = costs.get(child);
      if (cost !== undefined) sum = sum === undefined ? cost : addCost(sum, cost);
    }
    if (sum !== undefined) costs.set(span, sum);
  }
  return costs;
}

/** @returns `undefined` of a call of which neither tokens nor a cost are recorded: nobody knows what it cost */
function ownCost(span: Span, ratesOf: RatesOf): Cost | undefined {
  const { start, end } = span;
  const usage = spanUsage(span);
  const recordedUsd = end?.recordedUsd ?? start.recordedUsd;
  if (usage === undefined && recordedUsd === undefined) return undefined;
  const written = (steps: readonly Span[]) => steps.reduce((size, step) => size + step.start.writtenSize, 0);
  const call = pricedCallOf(span);
  return costOfCall(
    {
      usage,
      recordedUsd,
      answerSize: written(span.children) + written(span.calls ?? []),
    },
    call && ratesOf(call),
  );
}
