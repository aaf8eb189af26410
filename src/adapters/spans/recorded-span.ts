import type { JsonObject } from "../../domain/json/json.js";

/** A span as its writer recorded it, whichever way it came. The shape is OpenTelemetry's: https://opentelemetry.io/docs/specs/otel/trace/api/#span */
export interface RecordedSpan {
  /** Lower-case hexadecimal, as all ids here. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** True if its parent is in the same process, if its writer records that. */
  readonly isParentLocal?: boolean | undefined;
  readonly name: string;
  /** Milliseconds since the epoch, with their fraction. */
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly endedAt: number | undefined;
  readonly status: "unset" | "ok" | "error";
  readonly statusMessage: string | undefined;
  /** By name, as plain JSON. */
  readonly attributes: JsonObject;
  readonly events: readonly SpanEvent[];
  /** Attributes of the process that it ran in. */
  readonly resource: JsonObject;
  /** The instrumentation that wrote it. */
  readonly scope: string;
}

export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly attributes: JsonObject;
}
