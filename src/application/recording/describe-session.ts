import type { JsonObject } from "../../domain/json/json.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import {
  EMPTY_END,
  followEnvelope,
  followOrchestrationEvent,
} from "../../domain/session/session-activity.js";
import { EMPTY_LOG, followLog, sessionItem } from "../../domain/session/session-log.js";
import { UncountedCalls } from "../../domain/session/used-calls.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import type {
  SessionKey,
  SessionStart,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "../ports/session-store.js";

/** A record that a `SessionStore` received for the session itself, with the method that received it. */
export type SessionRecord =
  | ({ readonly type: "init" } & SessionStart)
  | ({ readonly type: "turn" } & TurnRecord)
  | ({ readonly type: "update" } & SessionUpdate);

/** The records of a session that say what the session list shows. */
export interface SessionRecords extends SessionKey {
  /** The records in the order in which they were recorded. */
  readonly log: Iterable<SessionRecord>;
  /**
   * The envelopes of its traces, in the order in which they were recorded. Default is an empty list.
   *
   * Envelopes whose event is of kind `session`, `run`, `turn` or `error` decide the status. Kinds `tool` and `input` provide the question
   * to a person. Kind `llm` provides the tokens of an unfinished turn that the log does not yet have. A store that saves the kind with
   * each envelope (`classifyEvent`) need not read any others.
   */
  readonly envelopes?: Iterable<WorkflowTraceEventEnvelope>;
  /** Its orchestration events, in the order in which they were recorded. Default is an empty list. */
  readonly orchestrationEvents?: Iterable<StoredOrchestrationEvent>;
}

/**
 * Builds the list entry of a session from the records that a `SessionStore` received. It is for data sources that read what a custom
 * store wrote. Instant, turns, tokens and status are the same as from any other source with the same records.
 *
 * @param now milliseconds since the epoch: unfinished work is `running` for five minutes. Default is the system's clock
 * @returns the list entry; a session without any recorded instant was last active in 1970
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
