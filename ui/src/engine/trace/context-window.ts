import type { TraceModel } from "../../model/trace/trace-model.js";
import type { CallCosts } from "./call-costs.js";

/**
 * For the agent's largest context; `undefined` if unavailable.
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
