import { isModelCall } from "../../../../src/domain/conversation/model-call-of.js";
import { costOfCall } from "../../../../src/domain/cost/call-totals.js";
import { type Span, spanUsage, walkSpans } from "../../../../src/domain/spans/span.js";
import { addCost, type Cost, type PricedCall, type RatesOf } from "../../../../src/domain/usage/money.js";
import { contextTokens } from "../../../../src/domain/usage/token-counts.js";

/** `undefined` for a span that needs no price, or can have none. */
export function pricedCallOf(span: Span): PricedCall | undefined {
  const { start, end } = span;
  const usage = spanUsage(span);
  const model = end?.name ?? start.name ?? "";
  const isRecorded = (end?.recordedUsd ?? start.recordedUsd) !== undefined;
  if (!isModelCall(span) || usage === undefined || model === "" || isRecorded) return undefined;
  const provider = end?.provider ?? start.provider;
  return { model, provider, at: start.at, contextTokens: contextTokens(usage) };
}

/** Each span with its parts. Spans without a model call are absent. */
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

/** @returns `undefined` without recorded tokens and cost */
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
