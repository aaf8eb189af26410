import { listedSession } from "../../domain/session/listed-session.js";
import { type ListedSession, withUnknownCalls } from "../../domain/session/model-usage.js";
import { sessionItem } from "../../domain/session/session-log.js";
import type { Row } from "./lease.js";
import {
  countsOf,
  type StoredTraceEnd,
  toEnd,
  toLog,
  toNumber,
  toText,
  toUsage,
  toUsageByModel,
} from "./session-summary.js";
import { fromStoredText } from "./stored-values.js";

/** Quotes in the JSON's texts are escaped, so that no text matches as a member. */
const UNSETTLED = /"uncounted|"calls":\[|"end":"session"/;

export function toItem(row: Row, now: number): ListedSession {
  if (row.state === "idle" && !UNSETTLED.test(`${row.trace_end}${row.orchestration_end}`))
    return toSettledItem(row);
  const key = { tenantId: fromStoredText(row.tenant_id!), sessionId: fromStoredText(row.session_id!) };
  const stored = JSON.parse(row.trace_end!) as StoredTraceEnd;
  const log = { ...toLog(row), ...countsOf(stored) };
  const ends = [toEnd(row.trace_end), toEnd(row.orchestration_end)];
  const facts = { log, uncounted: stored.uncountedByModel ?? [], ends };
  return sessionItem(key, facts, Number(row.added_at), now);
}

/** Equals `sessionItem` for an idle session without uncounted calls. A log would take several times as long. */
function toSettledItem(row: Row): ListedSession {
  const lastActive = toNumber(row.newest) ?? Number(row.added_at);
  const usage = toUsage(row);
  return listedSession({
    tenantId: fromStoredText(row.tenant_id!),
    sessionId: fromStoredText(row.session_id!),
    userId: fromStoredText(row.user_id!),
    lastActive,
    turns: Number(row.turns),
    usage,
    status: "idle",
    state: { kind: "idle" },
    title: toText(row.title),
    agentId: toText(row.agent_id),
    directory: toText(row.directory),
    createdAt: toNumber(row.created_at),
    errors: toNumber(row.errors),
    model: toText(row.model),
    prompt: toText(row.prompt),
    lastAnswer: toText(row.last_answer),
    warnings: 0,
    usageByModel: withUnknownCalls(toUsageByModel(row), usage, lastActive),
  });
}
