import { isJsonObject, labelOf } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { errorOf } from "./framework-values.js";

/** The class names the error: most of these errors have no other name. */
function sdkErrorOf(thrown: unknown): NonNullable<RunSpanResult["error"]> {
  const error = errorOf(thrown);
  if (error.type !== undefined && error.type !== "Error") return error;
  return { ...error, type: isJsonObject(thrown) ? labelOf(thrown.constructor?.name) : undefined };
}

/** A timeout is a failure, even if it aborted the call's signal. */
export function endOfThrown(thrown: unknown, signal: unknown): RunSpanResult {
  const reason = abortReason(signal);
  if (reason === undefined) return { error: sdkErrorOf(thrown) };
  if (reason === "TimeoutError")
    return { error: { ...sdkErrorOf(thrown), type: reason }, isCancelled: false };
  return { error: sdkErrorOf(thrown), isCancelled: true };
}

export function abortReason(signal: unknown): string | undefined {
  if (!isJsonObject(signal) || signal.aborted !== true) return undefined;
  return (isJsonObject(signal.reason) ? labelOf(signal.reason.name) : undefined) ?? "AbortError";
}
