import type { JsonObject } from "../json/json.js";

/** An event as recorded. Any type is allowed. */
export interface TraceEvent extends JsonObject {
  readonly type: string;
}

/** One element of a trace. Further fields are passed through unchanged. */
export interface WorkflowTraceEventEnvelope {
  readonly id: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly timestamp: string;
  /** Starts at 0 within a trace; in a response it strictly increases over the complete list. */
  readonly sequence: number;
  readonly source: "runtime" | "orchestration";
  readonly sessionId: string;
  readonly tenantId: string;
  readonly traceId: string;
  readonly event: TraceEvent;
}
