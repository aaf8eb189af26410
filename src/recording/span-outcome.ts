import type { RunSpanResult } from "./run-span.js";

/** How a span ended. */
export interface SpanOutcome {
  readonly outcome: "completed" | "failed" | "cancelled";
  /** Why it failed. */
  readonly error: RunSpanResult["error"];
  /** Why it was called off, where that is known. */
  readonly cancelReason: string | undefined;
}

/** The errors by which runtimes, clients of models and frameworks say that they were aborted. A limit of time is none: it is a failure. */
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

/** A type may be told with its module before it, as `asyncio.exceptions.CancelledError`. */
function isAbort(error: RunSpanResult["error"]): boolean {
  return ABORTS.has(error?.type?.split(".").at(-1) ?? "");
}
