import type { JsonObject } from "../json/json.js";

/** An event as the application recorded it. An event of an unregistered type is displayed like any other. */
export interface TraceEvent extends JsonObject {
  readonly type: string;
}

/** One element of a trace: an event, and where it belongs. Fields beyond these are passed through untouched. */
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
