import type { TraceModel } from "../model/trace-model.js";
import type { CallCosts } from "./call-costs.js";

/**
 * Returns the maximum number of tokens of the model that received an agent's largest context; `undefined` if it is not available.
 *
 * @param agentId `""` is the main agent
 */
export function windowOfPeak(
  { growth, spans }: Pick<TraceModel, "growth" | "spans">,
  agentId: string,
  costs: Pick<CallCosts, "contextWindowOf">,
): number | undefined {
  let peak: TraceModel["growth"][number] | undefined;
  for (const point of growth) {
    if (point.agentId === agentId && point.tokens > (peak?.tokens ?? 0)) peak = point;
  }
  const span = peak && spans.get(peak.spanId);
  return span && costs.contextWindowOf(span);
}
