import { type AgentSteps, boundariesOf } from "./agent-steps.js";
import type { Interval } from "./intervals.js";
import type { ErrorEvent, ModelCall } from "./session-steps.js";

/**
 * When the attempts of an agent to call a model failed, and when its calls were answered.
 *
 * - A call that failed lasts until the next one, but not longer than its turn.
 * - An attempt that is recorded as an error alone began where the step before it ended. Where the call that was answered at last begins
 *   before the error, it holds the attempts before it.
 */
export function failedAttempts(own: AgentSteps): {
  readonly failed: readonly Interval[];
  readonly answered: readonly Interval[];
} {
  const failed: Interval[] = [];
  const answered: Interval[] = [];
  const calls = [...own.calls].sort((a, b) => a.at - b.at);
  const errors = [...own.errors].sort((a, b) => a.at - b.at);
  const boundaries = errors.length === 0 ? new Float64Array() : boundariesOf(own);
  let boundary = 0;
  for (const { at, waitMs } of errors) {
    while (boundary < boundaries.length && boundaries[boundary]! <= at) boundary++;
    const [from = at, to = at] = [boundaries[boundary - 1], boundaries[boundary]];
    failed.push([from, Math.max(at, Math.min(to, at + waitMs))]);
  }
  for (const [i, call] of calls.entries()) {
    const error = errors[countBefore(errors, call.endAt) - 1];
    const isOfCall = error !== undefined && error.at >= call.at;
    const from = isOfCall ? Math.min(call.endAt, error.at + error.waitMs) : call.at;
    if (call.error !== undefined) failed.push([call.at, untilNext(call, calls[i + 1])]);
    else {
      failed.push([call.at, from]);
      answered.push([from, call.endAt]);
    }
  }
  return { failed, answered };
}

function untilNext(call: ModelCall, next: ModelCall | undefined): number {
  return next !== undefined && next.turnId === call.turnId ? Math.max(next.at, call.endAt) : call.endAt;
}

/** How many errors, which are in order, happened before an instant. */
function countBefore(errors: readonly ErrorEvent[], instant: number): number {
  let low = 0;
  let high = errors.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (errors[middle]!.at < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
