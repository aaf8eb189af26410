import type { JsonObject } from "../../domain/json/json.js";

/** What a record of a file is: a request, an element of its `resourceSpans`, another signal, or none of OpenTelemetry's. */
export type OtlpRecord = "request" | "element" | "logs" | "metrics" | "none";

const REQUEST = ["resourceSpans", "resource_spans"];
const ELEMENT = ["scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans"];
const LOGS = ["resourceLogs", "resource_logs"];
const METRICS = ["resourceMetrics", "resource_metrics"];

export function kindOfRecord(record: JsonObject): OtlpRecord {
  const isOne = (names: readonly string[]) => names.some((name) => Array.isArray(record[name]));
  if (isOne(REQUEST)) return "request";
  if (isOne(ELEMENT)) return "element";
  if (isOne(LOGS)) return "logs";
  return isOne(METRICS) ? "metrics" : "none";
}
