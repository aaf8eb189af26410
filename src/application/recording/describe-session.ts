import type { JsonObject } from "../../domain/json/json.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import {
  EMPTY_END,
  followEnvelope,
  followOrchestrationEvent,
} from "../../domain/session/session-activity.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { EMPTY_LOG, followLog, sessionItem } from "../../domain/session/session-log.js";
import { UncountedCalls } from "../../domain/session/used-calls.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type {
  SessionStart,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "../ports/session-store.js";

/** `type` is the method of `SessionStore` that received the record. */
export type SessionRecord =
  | ({ readonly type: "init" } & SessionStart)
  | ({ readonly type: "turn" } & TurnRecord)
  | ({ readonly type: "update" } & SessionUpdate);

export interface SessionRecords extends SessionKey {
  readonly log: Iterable<SessionRecord>;
  /**
   * In recorded order. Default is an empty list. Only events of these kinds (`classifyEvent`) are necessary: `session`, `run`, `turn` and
   * `error` for the status, `tool` and `input` for the question to a person, `llm` for the tokens of an unfinished turn.
   */
  readonly envelopes?: Iterable<WorkflowTraceEventEnvelope>;
  /** In recorded order. Default is an empty list. */
  readonly orchestrationEvents?: Iterable<StoredOrchestrationEvent>;
}

/**
 * Builds the list entry of a session from the records of a `SessionStore`, for data sources that read a custom store. Instant, turns,
 * tokens and status are the same as from any other source with the same records.
 * @param now milliseconds since the epoch: unfinished work is `running` for five minutes. Default is the system's clock
 * @returns the list entry; a session without any recorded instant was last active in 1970
 * @example
 * listSessions: async () =>
 *   db.sessions().map(({ tenantId, sessionId }) =>
 *     describeSession({
 *       tenantId,
 *       sessionId,
 *       log: db.log(tenantId, sessionId), // [{ type: "init", userId: "ada", createdAt: 1768478400000 }, { type: "turn", … }]
 *       envelopes: db.envelopes(tenantId, sessionId, ["session", "run", "turn", "error", "tool", "input", "llm"]),
 *     }),
 *   ),
 */
export function describeSession(
  { tenantId, sessionId, log, envelopes = [], orchestrationEvents = [] }: SessionRecords,
  now: number = Date.now(),
): ListedSession {
  let existing = EMPTY_LOG;
  for (const record of log) existing = followLog(existing, record as JsonObject & SessionRecord);
  let trace = EMPTY_END;
  const uncounted = new UncountedCalls(existing.countedUntil);
  for (const envelope of envelopes) {
    const record = envelope as JsonObject & WorkflowTraceEventEnvelope;
    trace = followEnvelope(trace, record);
    uncounted.follow(record);
  }
  let orchestration = EMPTY_END;
  for (const event of orchestrationEvents)
    orchestration = followOrchestrationEvent(orchestration, event as JsonObject & StoredOrchestrationEvent);
  return sessionItem(
    { tenantId, sessionId },
    { log: existing, ends: [trace, orchestration], uncounted: uncounted.soFar.used },
    0,
    now,
  );
}
