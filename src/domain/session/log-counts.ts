import { countField, countOf, type JsonObject } from "../json/json.js";
import { instantOf, newestInstant } from "../trace/instant.js";
import { addUsage, NO_USAGE, type TokenUsage, totalTokens, usageOf } from "../usage/token-usage.js";
import { addUsageByModel, type ModelUsage, usageByModelIn, usageOfModels } from "./model-usage.js";

/** Counts of a session's own log. */
export interface LogCounts {
  /** Number of turns in the log: recorded turns or started turns, whichever is higher. */
  readonly turns: number;
  readonly turnParts: TurnParts;
  /** The tokens that the log counts. */
  readonly usage: TokenUsage;
  readonly usageParts: UsageParts;
  /** Use of the model calls that report it. Empty if the recorder of the session does not report it. */
  readonly usageByModel: readonly ModelUsage[];
  /** When the newest turn was recorded. */
  readonly lastTurnAt: number | undefined;
  /** Instant of the newest call that reports its use. */
  readonly lastUsageAt: number | undefined;
  /** Model calls that began by then are counted: what they use is in the log, or will be with their turn. */
  readonly countedUntil: number | undefined;
}

/** The same turns, as two kinds of records tell them: an application may record one kind alone. */
interface TurnParts {
  /** Records of turns. */
  readonly recorded: number;
  /** Turns of the main agent that have begun in the trace, as far as records tell it. */
  readonly begun: number;
}

/**
 * Parts of a log's tokens. Turns and calls report the same tokens, and either may come first. For recorded turns the higher sum counts,
 * since the other may be incomplete. Calls that began later are added. A turn without tokens says nothing about its calls.
 */
export interface UsageParts {
  /** Tokens that turns report. */
  readonly turns: TokenUsage;
  /** Tokens of model calls that began before the newest of these turns was recorded. */
  readonly calls: TokenUsage;
  /** Tokens of model calls that began later. */
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

/** The counts after one more record. */
export function followCounts(counts: LogCounts, record: JsonObject): Partial<LogCounts> {
  return { ...followTurns(counts, record), ...followUsage(counts, record) };
}

/** The turns after one more record. */
function followTurns({ turnParts, lastTurnAt }: LogCounts, record: JsonObject): Partial<LogCounts> {
  const isTurn = record.type === "turn";
  const recorded = turnParts.recorded + (isTurn ? 1 : 0);
  const begun = countOf(turnParts.begun + countField(record, "turns"));
  return {
    turns: Math.max(recorded, begun),
    turnParts: { recorded, begun },
    lastTurnAt: isTurn ? newestInstant(lastTurnAt, instantOf(record.updatedAt)) : lastTurnAt,
  };
}

/** Adds one more record with the use of turns or calls. */
function followUsage(log: LogCounts, record: JsonObject): Partial<LogCounts> {
  if (!countsCalls(record)) return {};
  const recordedAt = instantOf(record.updatedAt);
  const used = usageByModelIn(record, recordedAt);
  const isTurn = tellsUsage(record);
  const begunAt = newestInstant(...used.map(({ at }) => at));
  const lastUsageAt = isTurn ? newestInstant(log.lastUsageAt, recordedAt) : log.lastUsageAt;
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
    countedUntil: newestInstant(log.countedUntil, recordedAt, begunAt),
  };
}

/** True if a record of the log counts earlier model calls, so that the trace need not be searched for them. */
export function countsCalls(record: JsonObject): boolean {
  return tellsUsage(record) || usageByModelIn(record).length > 0;
}

/** True for a turn record with its use. */
function tellsUsage(record: JsonObject): boolean {
  return record.type === "turn" && totalTokens(usageOf(record)) > 0;
}
