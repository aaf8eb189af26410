import type { JsonObject } from "../../domain/json.js";
import {
  decidesActivity,
  EMPTY_END,
  type EventLogEnd,
  endSuffices,
  followEnvelope,
  followInstant,
  followOrchestrationEvent,
} from "../../domain/session-activity.js";
import type { Digest } from "../jsonl/follow-file.js";
import { foldDigest } from "./session-log.js";

type EventLogDigest = Digest<{ value: EventLogEnd }, EventLogEnd>;

/** What decides how a run ended besides its type, and so has to be kept of an event that is too long to be held. */
const DECIDING = ["isError", "error", "status", "outcome", "stopReason", "reason"];

const TYPE = 0;
const TIMESTAMP = 1;

/**
 * Of the end of `trace/events.jsonl`. Logs are append-only, so the end holds the newest instant, and where the newest run
 * begins in it nothing before that has to be read. Most envelopes have only their instant to say: they are scanned, and only
 * those that decide how a run stands are parsed.
 */
export const traceEnd: EventLogDigest = {
  ...foldDigest<EventLogEnd>(EMPTY_END, (end, line) => {
    if (line.problem !== undefined) return end;
    if (line.members !== undefined && !decidesActivity(line.members.text(TYPE))) {
      return followInstant(end, line.members.instant(TIMESTAMP));
    }
    return followRecord(end, line.value, followEnvelope);
  }),
  suffices: (beginning, end) => endSuffices(beginning.value, end.value),
  wanted: {
    members: ["event.type", "timestamp", "traceId", ...DECIDING.map((field) => `event.${field}`)],
    onlyMembers: true,
    parsesWhole: (members) => decidesActivity(members.text(TYPE)),
  },
};

/** Of `orchestration/events.jsonl`. */
export const orchestrationEnd: EventLogDigest = {
  ...foldDigest<EventLogEnd>(EMPTY_END, (end, { value }) =>
    followRecord(end, value, followOrchestrationEvent),
  ),
  wanted: { members: ["type", "runId", "occurredAt", "timestamp", ...DECIDING] },
};

function followRecord(
  end: EventLogEnd,
  record: JsonObject | undefined,
  follow: (end: EventLogEnd, record: JsonObject) => EventLogEnd,
): EventLogEnd {
  return record === undefined ? end : follow(end, record);
}
