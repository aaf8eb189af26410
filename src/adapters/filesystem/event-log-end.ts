import {
  EMPTY_END,
  type EventLogEnd,
  endTellsActivity,
  followEnvelope,
  followOrchestrationEvent,
} from "../../domain/session-activity.js";
import type { Digest } from "../json-lines/followed-files.js";
import { foldDigest } from "./session-log.js";

/** What decides how a run ended, and so has to be kept of an event that is too long to be held. */
const DECIDING = ["type", "isError", "error", "status", "outcome", "stopReason", "reason"];

/**
 * Of the end of `trace/events.jsonl`. Logs are append-only, so the end holds the newest instant, and where the newest run
 * begins in it nothing before that has to be read.
 */
export const traceEnd: Digest<{ value: EventLogEnd }, EventLogEnd> = {
  ...foldDigest(EMPTY_END, followEnvelope),
  suffices: (beginning, end) => endTellsActivity(beginning.value.activity, end.value.activity),
  wanted: { members: ["traceId", "timestamp", ...DECIDING.map((field) => `event.${field}`)] },
};

/** Of `orchestration/events.jsonl`. */
export const orchestrationEnd: Digest<{ value: EventLogEnd }, EventLogEnd> = {
  ...foldDigest(EMPTY_END, followOrchestrationEvent),
  wanted: { members: ["runId", "occurredAt", "timestamp", ...DECIDING] },
};
