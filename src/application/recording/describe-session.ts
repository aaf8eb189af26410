import type { JsonObject } from "../../domain/json/json.js";
import {
  EMPTY_END,
  followEnvelope,
  followOrchestrationEvent,
} from "../../domain/session/session-activity.js";
import { EMPTY_LOG, followLog, sessionItem } from "../../domain/session/session-log.js";
import { UncountedCalls } from "../../domain/session/used-calls.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type { ListedSession } from "../../domain/usage/model-usage.js";
import type {
  SessionKey,
  SessionStart,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "../ports/session-store.js";

/** What a `SessionStore` was given of a session itself, and by which of its methods. */
export type SessionRecord =
  | ({ readonly type: "init" } & SessionStart)
  | ({ readonly type: "turn" } & TurnRecord)
  | ({ readonly type: "update" } & SessionUpdate);

/** The records of a session that say what the session list shows. */
export interface SessionRecords extends SessionKey {
  /** In the order in which they were recorded. */
  readonly log: Iterable<SessionRecord>;
  /**
   * The envelopes of its traces, in the order in which they were recorded. Of these the ones whose event is of kind `session`, `run`,
   * `turn` or `error` decide the status, those of kind `tool` and `input` tell what a person is asked, and those of kind `llm` the tokens of a turn that
   * goes on where its log does not: a store that keeps the kind beside each envelope (`classifyEvent`) need not read any others. Default is none.
   */
  readonly envelopes?: Iterable<WorkflowTraceEventEnvelope>;
  /** Its orchestration events, in the order in which they were recorded. Default is none. */
  readonly orchestrationEvents?: Iterable<StoredOrchestrationEvent>;
}

/**
 * A session as the list shows it, from what a `SessionStore` was given: for a data source that reads what a store of one's own
 * wrote. Instant, turns, tokens and status are those that any other source gives for the same records.
 *
 * @param now milliseconds since the epoch: what was begun and not ended is `running` for five minutes. Default is the system's clock
 * @returns a session of which no record knows an instant was active in 1970
 *
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
  let known = EMPTY_LOG;
  for (const record of log) known = followLog(known, record as JsonObject & SessionRecord);
  let trace = EMPTY_END;
  const uncounted = new UncountedCalls(known.countedUntil);
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
    { log: known, ends: [trace, orchestration], uncounted: uncounted.soFar.used },
    0,
    now,
  );
}
