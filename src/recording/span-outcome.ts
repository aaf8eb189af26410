import type { RunSpanResult } from "./run-span.js";

/** Outcome of a span. */
export interface SpanOutcome {
  readonly outcome: "completed" | "failed" | "cancelled";
  /** Why it failed. */
  readonly error: RunSpanResult["error"];
  /** Reason for the cancellation, if it is recorded. */
  readonly cancelReason: string | undefined;
}

/** Errors by which runtimes, clients of models and frameworks report an abort. A timeout is not an abort: it is a failure. */
const ABORTS: ReadonlySet<string> = new Set([
  "AbortError",
  "APIUserAbortError",
  "CancelledError",
  "ModelAbortError",
  "ResponseAborted",
]);

/** @example outcomeOf({ error: { message: "This operation was aborted", type: "AbortError" } }).outcome // "cancelled" */
export function outcomeOf({ error, isCancelled }: Partial<RunSpanResult>): SpanOutcome {
  if (isCancelled ?? isAbort(error))
    return { outcome: "cancelled", error: undefined, cancelReason: error?.message };
  return { outcome: error === undefined ? "completed" : "failed", error, cancelReason: undefined };
}

/** True for an abort. The type may have its module as a prefix, as in `asyncio.exceptions.CancelledError`. */
function isAbort(error: RunSpanResult["error"]): boolean {
  return ABORTS.has(error?.type?.split(".").at(-1) ?? "");
}
