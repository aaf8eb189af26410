import type { RunSpanResult } from "./run-span.js";

export interface SpanOutcome {
  readonly outcome: "completed" | "failed" | "cancelled";
  readonly error: RunSpanResult["error"];
  readonly cancelReason: string | undefined;
}

/** Names of abort errors in runtimes, clients and frameworks. A timeout is not an abort: it is a failure. */
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

/** The type may have its module as a prefix, as in `asyncio.exceptions.CancelledError`. */
function isAbort(error: RunSpanResult["error"]): boolean {
  return ABORTS.has(error?.type?.split(".").at(-1) ?? "");
}
