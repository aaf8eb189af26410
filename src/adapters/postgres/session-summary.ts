import { present } from "../../domain/json/json.js";
import { type ModelUsage, usageByModelIn } from "../../domain/session/model-usage.js";
import type { SessionStatus } from "../../domain/session/session.js";
import { EMPTY_END, type EventLogEnd, NO_ACTIVITY } from "../../domain/session/session-activity.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { EMPTY_LOG, type SessionLog } from "../../domain/session/session-log.js";
import { goesOnUntil, sessionState } from "../../domain/session/session-state.js";
import { formatInstant, newestInstant } from "../../domain/trace/instant.js";
import { type TokenUsage, usageOf } from "../../domain/usage/token-usage.js";
import type { Row } from "./lease.js";
import { fromStoredText, TEXT_SEPARATOR, toOrderedBytes, toStoredText } from "./stored-values.js";

/** Facts in the session's row, so that a list or a write reads no records. */
export interface StoredSummary {
  readonly tenantId: string;
  readonly sessionId: string;
  /** Last activity if no record has an instant. */
  readonly addedAt: number;
  readonly log: SessionLog;
  readonly uncounted: readonly ModelUsage[];
  readonly traceEnd: EventLogEnd;
  readonly orchestrationEnd: EventLogEnd;
  readonly traceSize: number;
  readonly orchestrationSize: number;
  readonly logSize: number;
  /** Position of the current conversation's first message, after the replaced ones. */
  readonly messagesFirst: number;
  readonly messagesSize: number;
}

export function newSummary({ tenantId, sessionId }: SessionKey, addedAt: number): StoredSummary {
  return {
    tenantId,
    sessionId,
    addedAt,
    log: EMPTY_LOG,
    uncounted: [],
    traceEnd: EMPTY_END,
    orchestrationEnd: EMPTY_END,
    traceSize: 0,
    orchestrationSize: 0,
    logSize: 0,
    messagesFirst: 0,
    messagesSize: 0,
  };
}

export const ITEM_COLUMNS =
  "tenant_id, session_id, user_id, agent_id, title, created_at, added_at, newest, state, " +
  "trace_end, orchestration_end, turns, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, " +
  "cache_write_1h_tokens, errors, model, prompt, last_answer, usage_by_model, directory";

export const SUMMARY_COLUMNS = `${ITEM_COLUMNS}, log_newest, trace_size, orchestration_size, log_size, messages_first, messages_size`;

export function toColumns(summary: StoredSummary): ReadonlyMap<string, unknown> {
  const { tenantId, sessionId, log, traceEnd, orchestrationEnd } = summary;
  const uncountedByModel = summary.uncounted.length === 0 ? undefined : summary.uncounted;
  const newest = newestInstant(log.newest, traceEnd.newest, orchestrationEnd.newest);
  const searched = [sessionId, log.userId, log.title ?? ""];
  return new Map<string, unknown>([
    ["tenant_id", toStoredText(tenantId)],
    ["session_id", toStoredText(sessionId)],
    ["user_id", toStoredText(log.userId)],
    ["agent_id", toTextColumn(log.agentId)],
    ["title", toTextColumn(log.title)],
    ["created_at", log.createdAt ?? null],
    ["added_at", summary.addedAt],
    ["newest", newest ?? null],
    ["state", settledStatus(traceEnd, orchestrationEnd, newest)],
    ["turns", log.turns],
    ["input_tokens", log.usage.inputTokens],
    ["output_tokens", log.usage.outputTokens],
    ["cache_read_tokens", log.usage.cacheReadTokens],
    ["cache_write_tokens", log.usage.cacheWriteTokens],
    ["cache_write_1h_tokens", log.usage.cacheWrite1hTokens ?? null],
    ["errors", log.errors ?? null],
    ["model", toTextColumn(log.model)],
    ["prompt", toTextColumn(log.prompt)],
    ["last_answer", toTextColumn(log.lastAnswer)],
    ["usage_by_model", log.usageByModel.length === 0 ? null : JSON.stringify(log.usageByModel)],
    ["directory", toTextColumn(log.directory)],
    ["search", searched.map(toSearchedText).join(TEXT_SEPARATOR)],
    ["log_newest", log.newest ?? null],
    ["last_active", formatInstant(newest ?? summary.addedAt)],
    ["place", toOrderedBytes(tenantId, sessionId)],
    ["trace_end", JSON.stringify({ ...traceEnd, ...countsOf(log), uncountedByModel, ...untilOf(summary) })],
    ["orchestration_end", JSON.stringify(orchestrationEnd)],
    ["trace_size", summary.traceSize],
    ["orchestration_size", summary.orchestrationSize],
    ["log_size", summary.logSize],
    ["messages_first", summary.messagesFirst],
    ["messages_size", summary.messagesSize],
  ]);
}

/** Member of `trace_end`: earliest possible end of a session in the state `running`. It is absent if no record states it. */
export const GOES_ON_UNTIL = "goesOnUntil";

function untilOf({ traceEnd, orchestrationEnd }: StoredSummary): {
  readonly [GOES_ON_UNTIL]: number | undefined;
} {
  return { [GOES_ON_UNTIL]: goesOnUntil([traceEnd.activity, orchestrationEnd.activity]) };
}

export function toSearchedText(text: string): string {
  return toStoredText(text.toLowerCase());
}

export function toSummary(row: Row): StoredSummary {
  const stored = JSON.parse(row.trace_end!) as StoredTraceEnd;
  return {
    tenantId: fromStoredText(row.tenant_id!),
    sessionId: fromStoredText(row.session_id!),
    addedAt: Number(row.added_at),
    log: { ...toLog(row), ...countsOf(stored), newest: toNumber(row.log_newest) },
    uncounted: stored.uncountedByModel ?? [],
    traceEnd: toEnd(row.trace_end),
    orchestrationEnd: toEnd(row.orchestration_end),
    traceSize: Number(row.trace_size),
    orchestrationSize: Number(row.orchestration_size),
    logSize: Number(row.log_size),
    messagesFirst: Number(row.messages_first),
    messagesSize: Number(row.messages_size),
  };
}

type StoredCounts = Pick<
  SessionLog,
  "turnParts" | "usageParts" | "lastTurnAt" | "lastUsageAt" | "countedUntil" | "earlyErrors"
>;

export type StoredTraceEnd = EventLogEnd &
  StoredCounts & {
    readonly uncountedByModel?: readonly ModelUsage[];
  };

export function countsOf(counts: StoredCounts): StoredCounts {
  const { turnParts, usageParts, lastTurnAt, lastUsageAt, countedUntil, earlyErrors } = counts;
  return { turnParts, usageParts, lastTurnAt, lastUsageAt, countedUntil, earlyErrors };
}

/**
 * Status at the newest instant, or at the earlier limit of an open call, because clocks differ. Only `toItem` knows the clock for `idle`.
 */
function settledStatus(
  traceEnd: EventLogEnd,
  orchestrationEnd: EventLogEnd,
  newest: number | undefined,
): SessionStatus {
  const activities = [traceEnd.activity, orchestrationEnd.activity];
  const until = goesOnUntil(activities) ?? Number.POSITIVE_INFINITY;
  return sessionState(activities, newest, Math.min(newest ?? 0, until)).status;
}

export function toLog(row: Row): SessionLog {
  const errors = toNumber(row.errors);
  const [model, prompt, lastAnswer] = [row.model, row.prompt, row.last_answer].map(toText);
  const directory = toText(row.directory);
  return {
    ...EMPTY_LOG,
    userId: fromStoredText(row.user_id!),
    agentId: toText(row.agent_id),
    title: toText(row.title),
    createdAt: toNumber(row.created_at),
    newest: toNumber(row.newest),
    turns: Number(row.turns),
    usage: toUsage(row),
    usageByModel: toUsageByModel(row),
    ...present({ directory, errors, model, prompt, lastAnswer }),
  };
}

export function toUsage(row: Row): TokenUsage {
  return usageOf({
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cacheReadTokens: Number(row.cache_read_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    cacheWrite1hTokens: toNumber(row.cache_write_1h_tokens),
  });
}

export function toUsageByModel({ usage_by_model }: Row): readonly ModelUsage[] {
  return usage_by_model ? usageByModelIn({ usageByModel: JSON.parse(usage_by_model) }) : [];
}

export function toEnd(text: string | null | undefined): EventLogEnd {
  const { activity, newest } = JSON.parse(text!) as EventLogEnd;
  return { activity: { ...NO_ACTIVITY, ...activity }, newest };
}

export function toNumber(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : Number(text);
}

function toTextColumn(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}

export function toText(text: string | null | undefined): string | undefined {
  return text === null || text === undefined ? undefined : fromStoredText(text);
}
