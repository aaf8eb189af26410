import { countField, countOf, type JsonObject } from "../json/json.js";
import { instantOf, nearestInstant, newestInstant, plausibleInstant } from "../trace/instant.js";
import { addUsage, NO_USAGE, type TokenUsage, totalTokens, usageOf } from "../usage/token-usage.js";
import { addUsageByModel, type ModelUsage, usageByModelIn, usageOfModels } from "./model-usage.js";

export interface LogCounts {
  /** Recorded turns or started turns: the higher number. */
  readonly turns: number;
  readonly turnParts: TurnParts;
  readonly usage: TokenUsage;
  readonly usageParts: UsageParts;
  /** Empty if the recorder does not report the use. */
  readonly usageByModel: readonly ModelUsage[];
  readonly lastTurnAt: number | undefined;
  readonly lastUsageAt: number | undefined;
  /** The log counts model calls that began by this instant, at the latest with their turn. {@link ANY_INSTANT} covers all calls. */
  readonly countedUntil: number | undefined;
}

/** Two counts of the same turns: an application may record only one kind. */
interface TurnParts {
  readonly recorded: number;
  /** Started turns of the main agent in the trace. */
  readonly begun: number;
}

/**
 * Turns and calls report the same tokens, in any order. The higher sum counts for recorded turns, since the other may be incomplete;
 * later calls are added.
 */
export interface UsageParts {
  readonly turns: TokenUsage;
  /** Calls that began before the newest recorded turn. */
  readonly calls: TokenUsage;
  /** Calls that began later. */
  readonly callsSince: TokenUsage;
}

export const NO_PARTS: UsageParts = { turns: NO_USAGE, calls: NO_USAGE, callsSince: NO_USAGE };

export const NO_COUNTS: LogCounts = {
  turns: 0,
  turnParts: { recorded: 0, begun: 0 },
  usage: NO_USAGE,
  usageParts: NO_PARTS,
  usageByModel: [],
  lastTurnAt: undefined,
  lastUsageAt: undefined,
  countedUntil: undefined,
};

export function followCounts(counts: LogCounts, record: JsonObject): Partial<LogCounts> {
  return { ...followTurns(counts, record), ...followUsage(counts, record) };
}

function followTurns({ turnParts, lastTurnAt }: LogCounts, record: JsonObject): Partial<LogCounts> {
  const isTurn = record.type === "turn";
  const recorded = turnParts.recorded + (isTurn && record.asked !== false ? 1 : 0);
  const begun = countOf(turnParts.begun + countField(record, "turns"));
  return {
    turns: Math.max(recorded, begun),
    turnParts: { recorded, begun },
    lastTurnAt: isTurn ? newestInstant(lastTurnAt, instantOf(record.updatedAt)) : lastTurnAt,
  };
}

function followUsage(log: LogCounts, record: JsonObject): Partial<LogCounts> {
  if (!countsCalls(record)) return {};
  const recordedAt = plausibleInstant(record.updatedAt);
  const used = usageByModelIn(record, recordedAt);
  const isTurn = hasUsage(record);
  const begunAt = plausibleInstant(newestInstant(...used.map(({ at }) => at)));
  const lastUsageAt = isTurn ? coveredUntil(log.lastUsageAt, recordedAt) : log.lastUsageAt;
  const isSince = !isTurn && newestInstant(lastUsageAt, begunAt) !== lastUsageAt;
  let { turns, calls, callsSince } = log.usageParts;
  if (isSince) callsSince = addUsage(callsSince, usageOfModels(used));
  else calls = addUsage(calls, usageOfModels(used));
  if (isTurn)
    [turns, calls, callsSince] = [addUsage(turns, usageOf(record)), addUsage(calls, callsSince), NO_USAGE];
  return {
    usage: addUsage(totalTokens(turns) < totalTokens(calls) ? calls : turns, callsSince),
    usageParts: { turns, calls, callsSince },
    usageByModel: addUsageByModel(log.usageByModel, used),
    lastUsageAt,
    countedUntil: coveredUntil(log.countedUntil, newestInstant(recordedAt, begunAt)),
  };
}

/** A record without an instant may count any call, up to the next record with an instant. */
const ANY_INSTANT = nearestInstant(Number.POSITIVE_INFINITY);

function coveredUntil(before: number | undefined, recordedAt: number | undefined): number {
  if (recordedAt === undefined) return ANY_INSTANT;
  return before === undefined || before === ANY_INSTANT ? recordedAt : Math.max(before, recordedAt);
}

/** True for a record that counts earlier model calls: a search of the trace is unnecessary. */
export function countsCalls(record: JsonObject): boolean {
  return hasUsage(record) || usageByModelIn(record).length > 0;
}

function hasUsage(record: JsonObject): boolean {
  return record.type === "turn" && totalTokens(usageOf(record)) > 0;
}
