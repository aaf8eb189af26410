import { batchOfTexts } from "../../src/domain/json/record-batch.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import { orderTrace } from "../../src/domain/trace/trace-order.js";
import { keysOfEnvelopes, TraceSequenceMerge } from "../../src/domain/trace/trace-sequence-merge.js";

/** The reference for `GetSessionTrace`: merges lists in memory in one piece. */
export function mergeTrace(
  tenantId: string,
  sessionId: string,
  runtime: readonly WorkflowTraceEventEnvelope[],
  orchestration: readonly unknown[],
): WorkflowTraceEventEnvelope[] {
  const order = runToEnd(orderTrace(keysOfEnvelopes(runtime)));
  const merge = new TraceSequenceMerge(order);
  const texts = runtime.map((_, i) => JSON.stringify(runtime[order.positions?.[i] ?? i]));
  const merged = texts.length === 0 ? "" : decode(runToEnd(merge.runtimeText(batchOfTexts(texts), 0)));
  return [
    ...(JSON.parse(`[${merged}]`) as WorkflowTraceEventEnvelope[]),
    ...runToEnd(merge.orchestrationEnvelopes(tenantId, sessionId, orchestration)),
  ];
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
