import { formatInstant, newestInstant } from "../../domain/instant.js";
import type { InspectorSessionItem, SessionStatus } from "../../domain/session.js";
import { EMPTY_END, type EventLogEnd, NO_ACTIVITY, sessionStatus } from "../../domain/session-activity.js";
import { describeSession, EMPTY_LOG, type SessionLog } from "../../domain/session-log.js";
import type { Row } from "./lease.js";
import { fromStoredText, TEXT_SEPARATOR, toOrderedBytes, toStoredText } from "./stored-text.js";

/** What is kept of a session, so that neither listing it nor going on with it reads its records. */
export interface SessionSummary {
  readonly tenantId: string;
  readonly sessionId: string;
  /** Stands for the last activity of a session whose records know no instant. */
  readonly addedAt: number;
  readonly log: SessionLog;
  readonly traceEnd: EventLogEnd;
  readonly orchestrationEnd: EventLogEnd;
  readonly traceSize: number;
  readonly orchestrationSize: number;
  readonly logSize: number;
  /** The position of the first message of the present conversation: those before it were replaced. */
  readonly messagesFirst: number;
  readonly messagesSize: number;
}

export function newSummary(tenantId: string, sessionId: string, addedAt: number): SessionSummary {
  return {
    tenantId,
    sessionId,
    addedAt,
    log: EMPTY_LOG,
    traceEnd: EMPTY_END,
    orchestrationEnd: EMPTY_END,
    traceSize: 0,
    orchestrationSize: 0,
    logSize: 0,
    messagesFirst: 0,
    messagesSize: 0,
  };
}

/** The columns that the list reads. */
export const ITEM_COLUMNS =
  "tenant_id, session_id, user_id, agent_id, title, created_at, added_at, newest, state, " +
  "turns, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens";

/** The columns that writing goes on from. */
export const SUMMARY_COLUMNS =
  `${ITEM_COLUMNS}, log_newest, trace_end, orchestration_end, ` +
  "trace_size, orchestration_size, log_size, messages_first, messages_size";

/** The columns of a summary, by name: those of its key, and those that a write changes. */
export function toColumns(summary: SessionSummary): ReadonlyMap<string, unknown> {
  const { tenantId, sessionId, log, traceEnd, orchestrationEnd } = summary;
  const newest = newestInstant(log.newest, traceEnd.newest, orchestrationEnd.newest);
  const searched = [sessionId, log.userId, log.title ?? ""];
  const listed = new Map<string, string | number | null>([
    ["tenant_id", toStoredText(tenantId)],
    ["session_id", toStoredText(sessionId)],
    ["user_id", toStoredText(log.userId)],
    ["agent_id", log.agentId === undefined ? null : toStoredText(log.agentId)],
    ["title", log.title === undefined ? null : toStoredText(log.title)],
    ["created_at", log.createdAt ?? null],
    ["added_at", summary.addedAt],
    ["newest", newest ?? null],
    ["state", settledStatus(traceEnd, orchestrationEnd, newest)],
    ["turns", log.turns],
    ["input_tokens", log.usage.inputTokens],
    ["output_tokens", log.usage.outputTokens],
    ["cache_read_tokens", log.usage.cacheReadTokens],
    ["cache_write_tokens", log.usage.cacheWriteTokens],
  ]);
  return new Map<string, unknown>([
    ...listed,
    ["item", toItemText(listed, newest)],
    ["search", searched.map(toSearchedText).join(TEXT_SEPARATOR)],
    ["log_newest", log.newest ?? null],
    ["last_active", formatInstant(newest ?? summary.addedAt)],
    ["place", toOrderedBytes(tenantId, sessionId)],
    ["trace_end", JSON.stringify(traceEnd)],
    ["orchestration_end", JSON.stringify(orchestrationEnd)],
    ["trace_size", summary.traceSize],
    ["orchestration_size", summary.orchestrationSize],
    ["log_size", summary.logSize],
    ["messages_first", summary.messagesFirst],
    ["messages_size", summary.messagesSize],
  ]);
}

/** Text as it is searched: whatever its case. */
export function toSearchedText(text: string): string {
  return toStoredText(text.toLowerCase());
}

export function toSummary(row: Row): SessionSummary {
  return {
    tenantId: fromStoredText(row.tenant_id!),
    sessionId: fromStoredText(row.session_id!),
    addedAt: Number(row.added_at),
    log: { ...toLog(row), newest: toNumber(row.log_newest) },
    traceEnd: toEnd(row.trace_end),
    orchestrationEnd: toEnd(row.orchestration_end),
    traceSize: Number(row.trace_size),
    orchestrationSize: Number(row.orchestration_size),
    logSize: Number(row.log_size),
    messagesFirst: Number(row.messages_first),
    messagesSize: Number(row.messages_size),
  };
}

/** A row of the list. The domain's own function describes the session, from activity that says what `state` says. */
export function toItem(row: Row, now: number): InspectorSessionItem {
  const key = { tenantId: fromStoredText(row.tenant_id!), sessionId: fromStoredText(row.session_id!) };
  const activity = {
    ...NO_ACTIVITY,
    failed: row.state === "error",
    open: row.state === "running" ? [""] : [],
  };
  const said = { log: toLog(row), ends: [{ activity, newest: undefined }] };
  return describeSession(key, said, Number(row.added_at), now);
}

/** The row of the list as text, made as it is from the columns; what is running is so at its newest instant. */
function toItemText(listed: ReadonlyMap<string, string | number | null>, newest: number | undefined): string {
  const texts = [...listed].map(([name, value]) => [name, value === null ? null : String(value)]);
  return JSON.stringify(toItem(Object.fromEntries(texts) as Row, newest ?? 0));
}

/** The status without the clock: `running` stays so until the session has been still for long enough. */
function settledStatus(
  traceEnd: EventLogEnd,
  orchestrationEnd: EventLogEnd,
  newest: number | undefined,
): SessionStatus {
  return sessionStatus([traceEnd.activity, orchestrationEnd.activity], newest, newest ?? 0);
}

function toLog(row: Row): SessionLog {
  return {
    userId: fromStoredText(row.user_id!),
    agentId: toText(row.agent_id),
    title: toText(row.title),
    createdAt: toNumber(row.created_at),
    newest: toNumber(row.newest),
    turns: Number(row.turns),
    usage: {
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      cacheReadTokens: Number(row.cache_read_tokens),
      cacheWriteTokens: Number(row.cache_write_tokens),
    },
  };
}

/** JSON leaves out what is undefined. */
function toEnd(text: string | null | undefined): EventLogEnd {
  const { activity, newest } = JSON.parse(text!) as EventLogEnd;
  return { activity: { ...NO_ACTIVITY, ...activity }, newest };
}

function toNumber(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : Number(text);
}

function toText(text: string | null | undefined): string | undefined {
  return text === null || text === undefined ? undefined : fromStoredText(text);
}
