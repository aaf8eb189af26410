import { isCompacted } from "../conversation/context-calls.js";
import type { TokenRates } from "../usage/money.js";
import { contextTokens } from "../usage/token-counts.js";
import type { ContextOfCall } from "./agent-contexts.js";
import type { ModelCall, SessionSteps } from "./session-steps.js";

/**
 * Why the beginning of a context was paid for again, which a cache held:
 * - `compacted`: a compaction wrote another beginning.
 * - `model`: another model was asked; each has a cache of its own.
 * - `tools`: the system prompt or the tools are other ones, as they are recorded on the calls.
 * - `rewritten`: what the call was given says something else at a place that the call before had: as it is recorded on the calls, or
 *   because somebody went back to an earlier message.
 * - `idle`: nothing was asked for longer than the cache keeps.
 * - `unknown`: nothing that is recorded says why.
 */
export type CacheMissCause = "compacted" | "model" | "tools" | "rewritten" | "idle" | "unknown";

/** A model call whose context a cache could have served further than it did. */
export interface CacheMiss {
  readonly stepId: string;
  readonly agentId: string;
  /** What was read again although a cache had it. */
  readonly tokens: number;
  /** US dollars more than a cache would have cost; absent where there is no price. */
  readonly usd?: number;
  readonly cause: CacheMissCause;
  readonly evidence: CacheMissEvidence;
}

/** What the cause was told by, and what else was looked at. */
export interface CacheMissEvidence {
  /** The call before it. */
  readonly beforeStepId: string;
  /** Milliseconds from the end of the call before to the beginning of this one. */
  readonly idleMs: number;
  /** Milliseconds that the cache keeps. */
  readonly lifetimeMs: number;
  /** Whether the lifetime is recorded (what was written for an hour is counted apart); else it is the vendors' usual one. */
  readonly isLifetimeRecorded: boolean;
  /** What a cache held for the call, and what it served. */
  readonly heldTokens: number;
  readonly servedTokens: number;
  /** The models of the two calls, where they differ. */
  readonly models?: readonly [before: string, now: string];
  readonly compactionStepId?: string;
  /** The first message, counted from 0, that says something else. */
  readonly rewrittenAt?: number;
  /** Whether it is recorded on the calls what they were given: the system prompt and tools, and the messages. */
  readonly areToolsRecorded: boolean;
  readonly areMessagesRecorded: boolean;
}

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;

/** Vendors cache in blocks, and nothing shorter than about this: less is no miss. */
const LEAST_TOKENS = 1_024;

/**
 * The calls whose context was paid for again from some place on. What a cache holds is what the call before of the same agent read and
 * wrote of it; of vendors that count no writes, all that it read. The first call of an agent misses nothing.
 */
export function cacheMisses(
  { calls, compactions }: Pick<SessionSteps, "calls" | "compactions">,
  contextOf: (call: ModelCall) => ContextOfCall | undefined,
  ratesOf: (call: ModelCall) => TokenRates | undefined,
): readonly CacheMiss[] {
  const countsWrites = calls.some(({ usage }) => (usage?.cacheWriteTokens ?? 0) > 0);
  const countsReads = calls.some(({ usage }) => (usage?.cacheReadTokens ?? 0) > 0);
  // Where no cache is counted at all, there may be none.
  if (!countsWrites && !countsReads) return [];
  const before = new Map<string, ModelCall>();
  const misses: CacheMiss[] = [];
  for (const call of calls) {
    const { usage, agentId } = call;
    if (usage === undefined || contextTokens(usage) === 0) continue;
    const last = before.get(agentId);
    before.set(agentId, call);
    if (last?.usage === undefined) continue;
    const held = countsWrites
      ? last.usage.cacheReadTokens + last.usage.cacheWriteTokens
      : contextTokens(last.usage);
    // A shorter context can be served no further than to its end.
    const tokens = Math.min(held, contextTokens(usage)) - usage.cacheReadTokens;
    if (tokens < LEAST_TOKENS) continue;
    const compaction = compactions.find(
      (one) => one.agentId === agentId && one.at >= last.at && one.at <= call.at,
    );
    const context = contextOf(call);
    const evidence = evidenceOf(last, call, held, compaction?.stepId, context);
    const rates = ratesOf(call);
    const usd = rates && Math.max(0, tokens * (paidFor(call, rates) - rates.cacheRead));
    misses.push({
      stepId: call.stepId,
      agentId,
      tokens,
      ...(usd === undefined ? {} : { usd }),
      cause: causeOf(evidence, last, call, context),
      evidence,
    });
  }
  return misses;
}

function evidenceOf(
  last: ModelCall,
  call: ModelCall,
  heldTokens: number,
  compactionStepId: string | undefined,
  context: ContextOfCall | undefined,
): CacheMissEvidence {
  const { isRecorded = false, rewrittenAt } = context ?? {};
  const isHour = (last.usage?.cacheWrite1hTokens ?? 0) > 0;
  const models = last.model !== undefined && call.model !== undefined && last.model !== call.model;
  return {
    beforeStepId: last.stepId,
    idleMs: Math.max(0, call.at - last.endAt),
    lifetimeMs: isHour ? HOUR : FIVE_MINUTES,
    isLifetimeRecorded: isHour,
    heldTokens,
    servedTokens: call.usage?.cacheReadTokens ?? 0,
    ...(models ? { models: [last.model, call.model] as const } : {}),
    ...(compactionStepId === undefined ? {} : { compactionStepId }),
    ...(rewrittenAt === undefined ? {} : { rewrittenAt }),
    areToolsRecorded: last.givenHash !== undefined && call.givenHash !== undefined,
    areMessagesRecorded: isRecorded,
  };
}

function causeOf(
  evidence: CacheMissEvidence,
  last: ModelCall,
  call: ModelCall,
  context: ContextOfCall | undefined,
): CacheMissCause {
  if (evidence.compactionStepId !== undefined || (context !== undefined && isCompacted(context)))
    return "compacted";
  if (evidence.models !== undefined) return "model";
  if (evidence.areToolsRecorded && last.givenHash !== call.givenHash) return "tools";
  if (evidence.rewrittenAt !== undefined || isRewound(context)) return "rewritten";
  return evidence.idleMs > evidence.lifetimeMs ? "idle" : "unknown";
}

function isRewound(context: ContextOfCall | undefined): boolean {
  return context?.removals.some(({ cause }) => cause === "rewind") === true;
}

/** US dollars a token, for what was not served by a cache: written to one as far as the call wrote to one. */
function paidFor({ usage }: ModelCall, rates: TokenRates): number {
  const { cacheWriteTokens = 0, inputTokens = 0, cacheWrite1hTokens = 0 } = usage ?? {};
  const fresh = cacheWriteTokens + inputTokens;
  if (fresh === 0) return rates.input;
  const hour = Math.min(cacheWrite1hTokens, cacheWriteTokens);
  const usd =
    (cacheWriteTokens - hour) * rates.cacheWrite + hour * rates.cacheWrite1h + inputTokens * rates.input;
  return usd / fresh;
}
