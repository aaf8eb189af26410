import type { ContextOfCall } from "../context/agent-contexts.js";
import { isCompacted } from "../conversation/context-calls.js";
import type { ModelCall, SessionSteps } from "../steps/session-steps.js";
import type { TokenRates } from "../usage/money.js";
import { contextTokens } from "../usage/token-counts.js";

/**
 * Causes of a miss, although a cache held the start of the context:
 * - `compacted`: a compaction wrote another start.
 * - `model`: the call used another model; each model has its own cache.
 * - `tools`: the recorded system prompt or tools differ.
 * - `rewritten`: the context differs at a position that the previous call already had.
 * - `idle`: no call came for longer than the cache lifetime.
 * - `unknown`: no record explains it.
 */
export type CacheMissCause = "compacted" | "model" | "tools" | "rewritten" | "idle" | "unknown";

export interface CacheMiss {
  readonly stepId: string;
  readonly agentId: string;
  /** Tokens that were read again although a cache had them. */
  readonly tokens: number;
  /** US dollars above the cached price; absent without a price. */
  readonly usd?: number;
  readonly cause: CacheMissCause;
  readonly evidence: CacheMissEvidence;
}

interface CacheMissEvidence {
  readonly beforeStepId: string;
  /** Milliseconds from the end of the previous call to the beginning of this one. */
  readonly idleMs: number;
  /** In milliseconds. */
  readonly lifetimeMs: number;
  /** True if the lifetime is recorded (tokens for an hour are counted separately); otherwise it is the vendor's default. */
  readonly isLifetimeRecorded: boolean;
  readonly heldTokens: number;
  readonly servedTokens: number;
  readonly models?: readonly [before: string, now: string];
  readonly compactionStepId?: string;
  /** The first different message, from 0. */
  readonly rewrittenAt?: number;
  readonly areToolsRecorded: boolean;
  readonly areMessagesRecorded: boolean;
}

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;

/** About the block size of vendors' caches. A smaller difference is not a miss. */
const LEAST_TOKENS = 1_024;

/**
 * Calls that paid again for a part of their context. The cache holds the tokens that the agent's previous call read from it and wrote to
 * it; if a vendor counts no writes, all tokens that the call read. The first call of an agent misses nothing.
 */
export function cacheMisses(
  { calls, compactions }: Pick<SessionSteps, "calls" | "compactions">,
  contextOf: (call: ModelCall) => ContextOfCall | undefined,
  ratesOf: (call: ModelCall) => TokenRates | undefined,
): readonly CacheMiss[] {
  const countsWrites = calls.some(({ usage }) => (usage?.cacheWriteTokens ?? 0) > 0);
  const countsReads = calls.some(({ usage }) => (usage?.cacheReadTokens ?? 0) > 0);
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
    // A cache serves a shorter context at most to its end.
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
    areToolsRecorded: last.inputHash !== undefined && call.inputHash !== undefined,
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
  if (evidence.areToolsRecorded && last.inputHash !== call.inputHash) return "tools";
  if (evidence.rewrittenAt !== undefined || isRewound(context)) return "rewritten";
  return evidence.idleMs > evidence.lifetimeMs ? "idle" : "unknown";
}

function isRewound(context: ContextOfCall | undefined): boolean {
  return context?.removals.some(({ cause }) => cause === "rewind") === true;
}

function paidFor({ usage }: ModelCall, rates: TokenRates): number {
  const { cacheWriteTokens = 0, inputTokens = 0, cacheWrite1hTokens = 0 } = usage ?? {};
  const fresh = cacheWriteTokens + inputTokens;
  if (fresh === 0) return rates.input;
  const hour = Math.min(cacheWrite1hTokens, cacheWriteTokens);
  const usd =
    (cacheWriteTokens - hour) * rates.cacheWrite + hour * rates.cacheWrite1h + inputTokens * rates.input;
  return usd / fresh;
}
