import { countField, countOf, isOddCount, type JsonObject, labelField, present } from "../json/json.js";
import { instantOf, isOddInstant, newestInstant, ODD_INSTANT } from "../trace/instant.js";
import { addUsage, NO_USAGE } from "../usage/token-usage.js";
import { listedSession } from "./listed-session.js";
import { followCounts, type LogCounts, NO_COUNTS } from "./log-counts.js";
import {
  addUsageByModel,
  type ListedSession,
  type ModelUsage,
  usageOfModels,
  withUnknownCalls,
} from "./model-usage.js";
import { factsIn, type RecordedFacts } from "./recorded-facts.js";
import { type EventLogEnd, isUnaskedTurn, type RunActivity } from "./session-activity.js";
import type { SessionKey } from "./session-key.js";
import { openQuestion, sessionState } from "./session-state.js";

export interface SessionLog extends Omit<RecordedFacts, "turns" | "asked" | "usageByModel">, LogCounts {
  readonly userId: string;
  readonly agentId: string | undefined;
  readonly title: string | undefined;
  readonly directory?: string;
  readonly createdAt: number | undefined;
  readonly newest: number | undefined;
  /** Failed calls. Absent if the recorder does not count them. */
  readonly errors?: number;
  /** Failures of records before the beginning. */
  readonly earlyErrors?: number | undefined;
}

export const EMPTY_LOG: SessionLog = {
  userId: "",
  agentId: undefined,
  title: undefined,
  createdAt: undefined,
  newest: undefined,
  ...NO_COUNTS,
};

/** Ignores records of other types. */
export function followLog(log: SessionLog, record: JsonObject): SessionLog {
  const updatedAt = newestInstant(log.newest, instantOf(record.updatedAt));
  switch (record.type) {
    case "init":
      return followInit(log, record);
    case "turn":
      return { ...followFacts(log, record), newest: updatedAt };
    case "update":
      return {
        ...followFacts(log, record),
        title: labelField(record, "title") ?? log.title,
        newest: updatedAt,
      };
    default:
      return log;
  }
}

/**
 * A start resets nothing: other records may precede it. Of two starts by concurrent processes the first one counts; an `init` without an
 * instant only changes the user and the agent.
 */
function followInit(log: SessionLog, record: JsonObject): SessionLog {
  const createdAt = instantOf(record.createdAt);
  const isBegun = log.createdAt !== undefined;
  if (isBegun && createdAt !== undefined) return log;
  const { earlyErrors = 0 } = log;
  const isCounted = !isBegun && typeof record.errors === "number";
  const errors = isCounted ? countOf(countField(record, "errors") + earlyErrors) : undefined;
  return {
    ...log,
    userId: labelField(record, "userId") ?? log.userId,
    agentId: labelField(record, "agentId") ?? log.agentId,
    title: log.title ?? labelField(record, "title"),
    ...present({ errors: log.errors ?? errors }),
    createdAt: log.createdAt ?? createdAt,
    newest: newestInstant(log.newest, instantOf(record.updatedAt), createdAt),
  };
}

/** Failures add up from the beginning; the first prompt counts, and the last value of any other fact. */
function followFacts(log: SessionLog, record: JsonObject): SessionLog {
  const facts = { ...log, ...factsIn(record) };
  return {
    ...facts,
    ...followCounts(log, record),
    ...(log.prompt === undefined ? {} : { prompt: log.prompt }),
    ...followErrors(log, countField(record, "errors")),
  };
}

function followErrors(
  { errors, earlyErrors = 0, createdAt }: SessionLog,
  added: number,
): Pick<SessionLog, "errors" | "earlyErrors"> {
  if (errors !== undefined) return { errors: countOf(errors + added) };
  return added === 0 || createdAt !== undefined ? {} : { earlyErrors: countOf(earlyErrors + added) };
}

/** Describes the part of a record that {@link followLog} changes. */
export function logProblem(record: JsonObject): string | undefined {
  const isOdd = record.type === "turn" && Object.keys(NO_USAGE).some((name) => isOddCount(record, name));
  if (isOdd) return ODD_COUNT;
  return [record.createdAt, record.updatedAt].some(isOddInstant) ? ODD_INSTANT : undefined;
}

export const ODD_COUNT = `has a token count that is no integer from 0 to ${Number.MAX_SAFE_INTEGER}: it is counted as the nearest one`;

export const LOG_FOLD = { initial: EMPTY_LOG, next: followLog, problemOf: logProblem };

export interface LoggedFacts {
  readonly log: SessionLog;
  readonly ends: readonly EventLogEnd[];
  /** Model calls that the log does not count yet. Default is an empty list. */
  readonly uncounted?: readonly ModelUsage[];
  /** Records that are unreadable or not in their stored form, so far. Default is 0. */
  readonly warnings?: number;
}

function newestRecorded({ log, ends }: LoggedFacts): number | undefined {
  return newestInstant(log.newest, ...ends.map((end) => end.newest));
}

/**
 * @param fallback last activity without a recorded instant
 * @param now milliseconds since the epoch
 */
export function sessionItem(
  key: SessionKey,
  facts: LoggedFacts,
  fallback: number,
  now: number,
): ListedSession {
  const { log, ends, uncounted = [], warnings = 0 } = facts;
  const { userId, title, agentId, directory, createdAt, errors, model, prompt, lastAnswer } = log;
  const newest = newestRecorded(facts);
  const lastActive = newest ?? fallback;
  const activities = ends.map((end) => end.activity);
  const { status, state } = sessionState(activities, newest, now);
  const isUnrecorded =
    (status === "running" || status === "waiting") && activities.some((one) => isUncounted(one, log));
  const turns = isUnrecorded ? Math.max(log.turnParts.recorded + 1, log.turns) : log.turns;
  const usage = addUsage(log.usage, usageOfModels(uncounted));
  const existing = addUsageByModel(log.usageByModel, uncounted);
  const usageByModel = withUnknownCalls(existing, usage, lastActive);
  return listedSession({
    tenantId: key.tenantId,
    sessionId: key.sessionId,
    userId,
    lastActive,
    turns,
    usage,
    status,
    state,
    title,
    agentId,
    directory,
    createdAt,
    errors,
    model,
    prompt,
    lastAnswer,
    waitingFor: openQuestion(activities)?.question,
    warnings,
    usageByModel,
  });
}

/** True if a started turn has no turn record yet: the record follows its end. */
function isUncounted({ open, decidedAt = Number.POSITIVE_INFINITY }: RunActivity, log: SessionLog): boolean {
  if (open.length === 0 || open.some(isUnaskedTurn)) return false;
  return log.lastTurnAt === undefined || decidedAt > log.lastTurnAt;
}
