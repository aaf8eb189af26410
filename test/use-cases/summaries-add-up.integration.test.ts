import { beforeAll, describe, expect, it } from "vitest";
import { BUNDLED_PRICES } from "../../src/adapters/prices/bundled-prices.js";
import { CallPricing, InProcessPool } from "../../src/advanced.js";
import { AnalysisReader } from "../../src/application/analysis/analysis-reader.js";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import type { Carried } from "../../src/domain/cost/carrying-cost.js";
import type { SessionFacts } from "../../src/domain/facts/session-facts.js";
import { OverviewBuilder } from "../../src/domain/overview/overview-builder.js";
import { costOfModels, type ListedSession, usageOfModels } from "../../src/domain/session/model-usage.js";
import type { SessionSummary } from "../../src/domain/summary/session-summary.js";
import { TimeZone } from "../../src/domain/trace/time-zone.js";
import type { Cost } from "../../src/domain/usage/money.js";
import { contextTokens } from "../../src/domain/usage/token-counts.js";
import type { TokenUsage } from "../../src/domain/usage/token-usage.js";
import { schemaNamed } from "../support/openapi.js";
import { allHistories, type HistoryFolder, inTurn } from "../support/shared-histories.js";

const HISTORIES = inTurn(allHistories(), ({ folder }) => folder);

const ORIGINS = ["user", "assistant", "tool", "system", "summary"];
const CAUSES = ["compacted", "model", "tools", "rewritten", "idle", "unknown"];

const TO = 8e15;

const EVERYTHING = {
  ...{ from: undefined, to: TO, now: TO, zone: TimeZone.named("UTC")! },
  ...({ by: "model", stack: "model" } as const),
};

interface Summed extends SessionSummary {
  readonly listedTurns: number;
  readonly listedCost: Cost;
  readonly listedUsage: TokenUsage;
  /** Only of sources that derive them from records. */
  readonly facts: SessionFacts | undefined;
}

async function summariesOf({ open }: HistoryFolder) {
  const source = await open();
  try {
    const pool = new InProcessPool();
    const useCase = new SummarizeSession(
      source,
      new AnalysisReader(pool, { pricing: new CallPricing(BUNDLED_PRICES, pool) }),
    );
    const ratesOf = await BUNDLED_PRICES.load();
    const summaries: Summed[] = [];
    const { items } = await source.findSessions!({ withFacts: true });
    for (const { facts, ...session } of items) {
      const answer = await useCase.execute(session);
      if (answer.isUnchanged) continue;
      const listedCost = costOfModels(session.usageByModel ?? [], ratesOf);
      const listedUsage = usageOfModels(session.usageByModel ?? []);
      summaries.push({ ...answer.value, listedTurns: session.turns, listedCost, listedUsage, facts });
    }
    return { listed: items, summaries };
  } finally {
    await source.close?.();
  }
}

function sum(column: readonly number[]): number {
  return column.reduce((a, b) => a + b, 0);
}

function total(parts: readonly Carried[], member: "tokens" | "usd" | "unpricedTokens"): number {
  return parts.reduce((sum, part) => sum + part[member], 0);
}

describe("summaries of histories", () => {
  describe.each(HISTORIES)("$name", (histories) => {
    let listed: readonly ListedSession[];
    let summaries: readonly Summed[];
    beforeAll(async () => {
      ({ listed, summaries } = await summariesOf(histories));
    });

    it("share out what the models read, to the token", () => {
      for (const { context, total: calls, sessionId } of summaries) {
        const { byOrigin, system, unaccounted, unseen } = context;
        for (const { name } of byOrigin) expect(ORIGINS).toContain(name);
        const shared = total([...byOrigin, system, unaccounted, unseen], "tokens");
        const estimated = calls.uncountedCalls > 0;
        if (!estimated) expect(shared, sessionId).toBeCloseTo(contextTokens(calls.usage), 2);
        else expect(shared, sessionId).toBeGreaterThanOrEqual(contextTokens(calls.usage) - 0.01);
      }
    });

    it("share out what reading it cost: all that was paid but for the answers", async () => {
      const ratesOf = await BUNDLED_PRICES.load();
      for (const { context, total: calls, largestCalls, sessionId, startedAt } of summaries) {
        const { byOrigin, system, unaccounted, unseen } = context;
        const input = total([...byOrigin, system, unaccounted, unseen], "usd");
        // Of a recorded cost, the part of the answers is unavailable. Even 0 is final.
        if (calls.cost.recordedUsd > 0 || (calls.cost.usd === 0 && calls.cost.unpricedCalls === 0)) continue;
        expect(input, sessionId).toBeLessThanOrEqual(calls.cost.usd + 1e-9);
        if (largestCalls.length < calls.calls) continue;
        const answers = largestCalls.map(({ model, contextTokens, outputTokens }) => {
          const rates = ratesOf({ model, at: Date.parse(startedAt!), contextTokens });
          return rates && rates.output * outputTokens;
        });
        // Some prices depend on the provider, which a summary does not name.
        const unpriced = answers.filter((usd) => usd === undefined).length;
        if (unpriced !== calls.cost.unpricedCalls) continue;
        expect(input, sessionId).toBeCloseTo(
          calls.cost.usd - answers.reduce<number>((sum, usd = 0) => sum + usd, 0),
          8,
        );
      }
    });

    it("carry contexts for no more than the session cost", () => {
      for (const { context, cacheMisses, total: calls, sessionId } of summaries) {
        const { byOrigin, system, unaccounted, unseen } = context;
        const carriedUsd = total([...byOrigin, system, unaccounted, unseen], "usd");
        expect(carriedUsd, sessionId).toBeLessThanOrEqual(calls.cost.usd + 1e-9);
        expect(cacheMisses.usd, sessionId).toBeLessThanOrEqual(calls.cost.usd + 1e-9);
      }
    });

    it("carry the results of tools for no more than the session cost, in an overview", async () => {
      const ratesOf = await BUNDLED_PRICES.load();
      for (const session of listed) {
        const builder = new OverviewBuilder(EVERYTHING, ratesOf);
        builder.add(session);
        const { tools, total } = builder.result();
        const carriedUsd = tools.reduce((sum, { carriedUsd = 0 }) => sum + carriedUsd, 0);
        expect(carriedUsd, session.sessionId).toBeLessThanOrEqual(total.cost.usd + 1e-9);
      }
    });

    it("begin no model call of the main agent before the previous call ends", () => {
      for (const { agents, turns, largestCalls, time, sessionId } of summaries) {
        for (const { ms } of largestCalls) expect(ms, sessionId).toBeGreaterThanOrEqual(0);
        const modelMs = agents.find(({ agentId }) => agentId === "")?.ms ?? 0;
        expect(modelMs, sessionId).toBeLessThanOrEqual(time.wholeMs);
        for (const { ms, wholeMs } of turns) expect(ms, sessionId).toBeLessThanOrEqual(wholeMs);
      }
    });

    it("count the turns that the list of sessions counts", () => {
      for (const { counts, listedTurns, sessionId } of summaries)
        expect([sessionId, counts.turns]).toEqual([sessionId, listedTurns]);
    });

    it("cost what the list of sessions says", () => {
      for (const { total: calls, listedCost, sessionId } of summaries) {
        const { usd, recordedUsd, unpricedTokens } = calls.cost;
        expect(listedCost.usd, sessionId).toBeCloseTo(usd, 9);
        expect(listedCost.recordedUsd, sessionId).toBeCloseTo(recordedUsd, 9);
        expect(listedCost.unpricedTokens, sessionId).toBe(unpricedTokens);
      }
    });

    it("count what the facts of the session do, which the list derives", () => {
      for (const { counts, listedUsage, facts, sessionId } of summaries) {
        if (facts === undefined) continue;
        const { usage, toolUse, agents, compactions } = facts;
        const { turns: _, ...counted } = counts;
        const derived = {
          ...{ modelCalls: sum(usage.calls), failedModelCalls: sum(usage.failedCalls) },
          ...{ toolCalls: sum(toolUse.calls), failedToolCalls: sum(toolUse.failures) },
          ...{ refusedToolCalls: sum(toolUse.refused), agents, compactions },
        };
        expect([sessionId, derived]).toEqual([sessionId, counted]);
        expect(sum(usage.inputTokens), sessionId).toBe(listedUsage.inputTokens);
        expect(sum(usage.outputTokens), sessionId).toBe(listedUsage.outputTokens);
        expect(sum(usage.cacheReadTokens), sessionId).toBe(listedUsage.cacheReadTokens);
        expect(sum(usage.cacheWriteTokens), sessionId).toBe(listedUsage.cacheWriteTokens);
        expect(sum(usage.cacheWrite1hTokens), sessionId).toBe(listedUsage.cacheWrite1hTokens ?? 0);
      }
    });

    it("are as docs/openapi.yaml says", () => {
      const validate = schemaNamed("SessionSummary");
      for (const { listedTurns: _, listedCost: __, listedUsage: ___, facts: ____, ...summary } of summaries)
        expect([validate(summary), validate.errors]).toEqual([true, null]);
    });

    it("have the same sums by model, agent and all", () => {
      for (const { models, agents, total: calls, sessionId } of summaries) {
        for (const groups of [models, agents]) {
          if (groups.length === 50) continue;
          const usd = groups.reduce((sum, { cost }) => sum + cost.usd, 0);
          expect(usd, sessionId).toBeCloseTo(calls.cost.usd, 9);
          expect(groups.reduce((sum, group) => sum + group.calls, 0)).toBe(calls.calls);
          expect(groups.reduce((sum, { usage }) => sum + usage.outputTokens, 0)).toBe(
            calls.usage.outputTokens,
          );
        }
      }
    });

    it("share out the time, to the millisecond", () => {
      for (const { time, startedAt, endedAt, sessionId } of summaries) {
        const { wholeMs, classes } = time;
        const sum = Object.values(classes).reduce((ms, part) => ms + part, 0);
        expect(sum, sessionId).toBe(wholeMs);
        if (startedAt !== undefined) expect(wholeMs).toBe(Date.parse(endedAt!) - Date.parse(startedAt));
      }
    });

    it("name a cause for what caches missed, or what was looked at", () => {
      for (const { cacheMisses } of summaries) {
        expect(cacheMisses.byCause.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(cacheMisses.tokens);
        for (const { cause, evidence } of cacheMisses.calls) {
          expect(CAUSES).toContain(cause);
          expect(evidence.beforeStepId).not.toBe("");
          expect(evidence.idleMs).toBeGreaterThanOrEqual(0);
        }
      }
    });
  });
});
