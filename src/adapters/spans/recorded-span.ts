import type { JsonObject } from "../../domain/json/json.js";

/** A span in any source format; the shape is OpenTelemetry's: https://opentelemetry.io/docs/specs/otel/trace/api/#span */
export interface RecordedSpan {
  /** Lower-case hexadecimal, as all IDs. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly isParentLocal?: boolean | undefined;
  readonly name: string;
  /** Milliseconds since the epoch, with fraction. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly status: "unset" | "ok" | "error";
  readonly statusMessage: string | undefined;
  readonly attributes: JsonObject;
  readonly events: readonly SpanEvent[];
  readonly resource: JsonObject;
  readonly scope: string;
}

export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attributes: JsonObject;
}
