import type { SessionStatus } from "../../domain/session/session.js";
import { RUNNING_WINDOW_MS } from "../../domain/session/session-activity.js";
import { GOES_ON_UNTIL } from "./session-summary.js";

/** Returns the equivalent of the domain's `sessionStatus` for the column `state` and the clock, as a condition. */
export function statusCondition(status: SessionStatus, now: () => string): string {
  switch (status) {
    case "error":
      return "state = 'error'";
    case "running":
      return `state = 'running' AND ${goesOn(now)}`;
    case "waiting":
      return "state = 'waiting'";
    case "idle":
      return `(state = 'idle' OR (state = 'running' AND NOT ${goesOn(now)}))`;
    default:
      return status satisfies never;
  }
}

/**
 * Of a session whose state is `running`: something that was begun is recent, or a call may still take. Texts lie in the JSON with their
 * quotes escaped, so that none of them is taken for a member.
 */
function goesOn(now: () => string): string {
  const begun = `concat(trace_end, orchestration_end) LIKE '%"open":["%'`;
  const until = `substring(trace_end from '"${GOES_ON_UNTIL}":([0-9.]+)')::float8`;
  const isRecent = `${now()}::float8 - newest <= ${RUNNING_WINDOW_MS}`;
  return `((${isRecent} AND ${begun}) OR coalesce(${until} >= ${now()}::float8, false))`;
}
