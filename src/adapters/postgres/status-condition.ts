import type { SessionStatus } from "../../domain/session/session.js";
import { RUNNING_WINDOW_MS } from "../../domain/session/session-state.js";
import { GOES_ON_UNTIL } from "./session-summary.js";

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
 * For the state `running`: recent work, or a call within its limit. Quotes in the JSON's texts are escaped, so that no text matches as a
 * member.
 */
function goesOn(now: () => string): string {
  const begun = `concat(trace_end, orchestration_end) LIKE '%"open":["%'`;
  const until = `substring(trace_end from '"${GOES_ON_UNTIL}":([0-9.]+)')::float8`;
  const isRecent = `${now()}::float8 - newest <= ${RUNNING_WINDOW_MS}`;
  return `((${isRecent} AND ${begun}) OR coalesce(${until} >= ${now()}::float8, false))`;
}
