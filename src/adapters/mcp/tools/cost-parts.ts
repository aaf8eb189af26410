import type { CacheMissCause } from "../../../domain/cost/cache-misses.js";
import type { CarriedGroup, SessionSummary } from "../../../domain/summary/session-summary.js";
import { type AnswerText, fields, tableOf } from "../answer/answer.js";
import { cents, tokenFields, usd } from "../answer/figures.js";
import { listed, name, own } from "../answer/own-words.js";
import type { NameKind } from "../answer/registered-names.js";
import type { SummarySteps } from "./summary-steps.js";

const MOST_ROWS = 6;

const CAUSES: readonly CacheMissCause[] = ["compacted", "model", "tools", "rewritten", "idle", "unknown"];

export function costParts(
  summary: SessionSummary,
  { step, agent, texts }: SummarySteps,
): readonly AnswerText[] {
  const { models, agents, turns, largestCalls, cacheMisses, context } = summary;
  return [
    tableOf(own`models`, models.slice(0, MOST_ROWS), {
      name: ({ model }) => name("model", model),
      calls: ({ calls }) => calls,
      usd: ({ cost }) => usd(cost),
      input: ({ usage }) => tokenFields(usage).input,
      cacheRead: ({ usage }) => tokenFields(usage).cacheRead,
      cacheWrite: ({ usage }) => tokenFields(usage).cacheWrite,
      output: ({ usage }) => tokenFields(usage).output,
    }),
    tableOf(own`agents`, costliest(agents), {
      agent: ({ agentId }) => agent(agentId),
      role: (one) => name("agent", one.name),
      modelCalls: ({ calls }) => calls,
      toolCalls: ({ toolCalls }) => toolCalls,
      usd: ({ cost }) => usd(cost),
    }),
    tableOf(own`costliest turns`, costliest(turns), {
      step: ({ stepId }) => step(stepId),
      agent: ({ agentId }) => agent(agentId),
      calls: ({ calls }) => calls,
      usd: ({ cost }) => usd(cost),
      prompt: texts ? ({ prompt }) => prompt : undefined,
    }),
    tableOf(own`costliest model calls`, largestCalls.slice(0, MOST_ROWS), {
      step: ({ stepId }) => step(stepId),
      agent: ({ agentId }) => agent(agentId),
      model: ({ model }) => name("model", model),
      contextTokens: ({ contextTokens }) => contextTokens,
      output: ({ outputTokens }) => outputTokens,
      usd: ({ cost }) => usd(cost),
    }),
    fields(own`cache misses`, {
      count: cacheMisses.count,
      tokens: cacheMisses.tokens,
      usd: cents(cacheMisses.usd),
    }),
    tableOf(own`cache misses by cause`, cacheMisses.byCause, {
      cause: ({ cause }) => listed(CAUSES, cause),
      count: ({ count }) => count,
      tokens: ({ tokens }) => tokens,
      usd: (one) => cents(one.usd),
    }),
    carriedTable(context.byTool, "tool", MOST_ROWS),
    carriedTable(context.byFile, "file", MOST_ROWS),
    fields(own`cost of repeated reads`, {
      system: cents(context.system.usd),
      unaccounted: cents(context.unaccounted.usd),
    }),
  ];
}

function costliest<One extends { readonly cost: { readonly usd: number } }>(
  all: readonly One[],
): readonly One[] {
  return all.toSorted((a, b) => b.cost.usd - a.cost.usd).slice(0, MOST_ROWS);
}

export function carriedTable(groups: readonly CarriedGroup[], kind: NameKind, most: number): AnswerText {
  return tableOf(TITLES[kind] ?? own`read again`, groups.slice(0, most), {
    name: (one) => name(kind, one.name),
    items: ({ items }) => items,
    tokensRead: ({ tokens }) => Math.round(tokens),
    usd: (one) => cents(one.usd),
  });
}

const TITLES: { readonly [Kind in NameKind]?: ReturnType<typeof own> } = {
  tool: own`read again, by tool`,
  file: own`read again, by file`,
  agent: own`read again, by agent`,
};
