import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { JsonObject } from "../../domain/json/json.js";
import type { RecordedSpan } from "../spans/recorded-span.js";

/** A span of the SDK as it is now. */
export function recordedSpanOf(span: ReadableSpan): RecordedSpan {
  const { spanId, traceId } = span.spanContext();
  const { code, message } = span.status;
  return {
    traceId,
    spanId,
    parentSpanId: localParentOf(span),
    name: span.name,
    startedAt: millisecondsOf(span.startTime),
    endedAt: span.ended ? millisecondsOf(span.endTime) : undefined,
    status: code === ERROR ? "error" : code === OK ? "ok" : "unset",
    statusMessage: message,
    attributes: span.attributes,
    events: span.events.map(({ name, time, attributes = {} }) => ({
      name,
      at: millisecondsOf(time),
      attributes,
    })),
    resource: resourceOf(span),
    scope: span.instrumentationScope.name,
  };
}

/** `SpanStatusCode` of the API, which is not loaded here. */
const OK = 1;
const ERROR = 2;

/** A parent in another process is never told here. */
function localParentOf({ parentSpanContext: parent }: ReadableSpan): string | undefined {
  return parent === undefined || parent.isRemote === true ? undefined : parent.spanId;
}

type HrTime = ReadableSpan["startTime"];

function millisecondsOf([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1e6;
}

/** Attributes of a resource that are still looked up may not be asked for, and the SDK's name for a nameless service is none. */
function resourceOf({ resource }: ReadableSpan): JsonObject {
  if (resource.asyncAttributesPending === true) return {};
  const { "service.name": name, ...others } = resource.attributes;
  const isNamed = typeof name === "string" && !name.startsWith("unknown_service");
  return isNamed ? { ...others, "service.name": name } : others;
}
