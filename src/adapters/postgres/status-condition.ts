import type { SessionStatus } from "../../domain/session/session.js";
import { RUNNING_WINDOW_MS } from "../../domain/session/session-activity.js";

/** What `sessionStatus` of the domain makes of the column `state` and the clock, as a condition. */
export function statusCondition(status: SessionStatus, now: () => string): string {
  switch (status) {
    case "error":
      return "state = 'error'";
    case "running":
      return `state = 'running' AND ${now()}::float8 - newest <= ${RUNNING_WINDOW_MS}`;
    case "idle":
      return `(state = 'idle' OR (state = 'running' AND ${now()}::float8 - newest > ${RUNNING_WINDOW_MS}))`;
    default:
      return status satisfies never;
  }
}
