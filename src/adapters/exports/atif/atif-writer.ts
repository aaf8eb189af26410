import { InvalidRequestError } from "../../../application/errors.js";
import type { ExportWriter } from "../../../application/ports/export.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import type { CallPricing } from "../../../application/pricing/call-pricing.js";
import { type Span, spanUsage, walkSpans } from "../../../domain/spans/span.js";
import { callColumns } from "../../../domain/usage/call-prices.js";
import { costOfUsage } from "../../../domain/usage/money.js";
import { contextTokens } from "../../../domain/usage/token-counts.js";
import { asBytes } from "../session/as-bytes.js";
import { type CompleteEvent, keepComplete } from "../session/complete-events.js";
import { type ExportedSession, sessionsIn } from "../session/exported-session.js";
import { WrittenTrajectory } from "./written-trajectory.js";

/**
 * Agent Trajectory Interchange Format 1.7 (Harbor's RFC 0001), with embedded sub-agents, written step by step.
 * @param pricing for calls without a recorded cost
 */
export function atifWriter(pricing: CallPricing): ExportWriter["write"] {
  return async function* (lines, options = {}) {
    let session: ExportedSession<CompleteEvent> | undefined;
    for await (const next of sessionsIn(lines, () => keepComplete, options)) {
      if (session !== undefined)
        throw new InvalidRequestError(
          "sessions",
          "are several: a trajectory holds one. Export them one by one.",
        );
      session = next;
    }
    if (session === undefined) throw new InvalidRequestError("sessions", "are none.");
    const costs = await costsOf(session.trace.roots, pricing, options);
    yield* asBytes(new WrittenTrajectory(session, costs).texts(), options);
  };
}

async function costsOf(
  roots: readonly Span[],
  pricing: CallPricing,
  options: ReadOptions,
): Promise<ReadonlyMap<Span, number>> {
  const calls: Span[] = [];
  walkSpans(roots, (span) => {
    if (span.kind === "llm") calls.push(span);
  });
  const costs = new Map<Span, number>();
  const columns = callColumns(
    calls.map((span) => {
      const usage = spanUsage(span);
      const { start, end, name: model } = span;
      if (usage === undefined || model === "" || recordedUsd(span) !== undefined) return undefined;
      return {
        model,
        provider: end?.provider ?? start.provider,
        at: start.at,
        contextTokens: contextTokens(usage),
      };
    }),
  );
  const { rates, rateOf } = await pricing.ratesOf(columns, options);
  for (const [at, span] of calls.entries()) {
    const usage = spanUsage(span);
    const callRates = rates[rateOf[at]!];
    const cost = recordedUsd(span) ?? (usage && callRates && costOfUsage(usage, callRates));
    if (cost !== undefined) costs.set(span, cost);
  }
  return costs;
}

const recordedUsd = ({ start, end }: Span) => end?.recordedUsd ?? start.recordedUsd;
