import { instantOf } from "./instant.js";
import { runToEnd } from "./merge-runs.js";
import { orchestrationEnvelopes } from "./orchestration-envelopes.js";
import type { WorkflowTraceEventEnvelope } from "./trace-envelope.js";
import { orderTraceSteps, type TraceKeys } from "./trace-order.js";

/**
 * Merges a session's runtime envelopes and orchestration events into one list in `sequence` order. Pure, in one piece: for
 * lists that are in memory anyway.
 *
 * @example mergeTrace("acme", "s1", envelopes, [{ type: "agent_spawned", agent: { id: "a1" } }])
 */
export function mergeTrace(
  tenantId: string,
  sessionId: string,
  runtime: readonly WorkflowTraceEventEnvelope[],
  orchestration: readonly unknown[],
): WorkflowTraceEventEnvelope[] {
  const order = runToEnd(orderTraceSteps(keysOfEnvelopes(runtime)));
  const merged = runtime.map((_, i) => {
    const envelope = runtime[order.positions?.[i] ?? i]!;
    return order.renumbered && envelope.sequence !== i ? { ...envelope, sequence: i } : envelope;
  });
  return [...merged, ...orchestrationEnvelopes(tenantId, sessionId, orchestration, order)];
}

/** Keys of envelopes that are in memory. */
export function keysOfEnvelopes(envelopes: readonly WorkflowTraceEventEnvelope[]): TraceKeys {
  const ordinals = new Map<string, number>();
  const traces = envelopes.map(({ traceId }) => {
    const id = typeof traceId === "string" ? traceId : "";
    const ordinal = ordinals.get(id) ?? ordinals.size;
    ordinals.set(id, ordinal);
    return ordinal;
  });
  const ids = [...ordinals.keys()];
  return {
    size: envelopes.length,
    traceAt: (position) => traces[position]!,
    sequenceAt: (position) => sequenceOf(envelopes[position]!.sequence),
    instantAt: (position) => instantOf(envelopes[position]!.timestamp) ?? Number.NaN,
    traceId: (trace) => ids[trace]!,
  };
}

/** A sequence as a key: `NaN` unless it is an integer from 0 up. */
export function sequenceOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : Number.NaN;
}
