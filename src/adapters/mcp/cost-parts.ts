import type { CacheMissCause } from "../../domain/analysis/cache-misses.js";
import type { CarriedGroup, SessionSummary } from "../../domain/analysis/session-summary.js";
import { fields, type ShownPart, table } from "./answer.js";
import { cents, tokenFields, usd } from "./figures.js";
import type { NameKind } from "./known-names.js";
import { type Cell, listed, name, own } from "./own-words.js";
import type { SummarySteps } from "./summary-steps.js";

const MOST_ROWS = 6;

const CAUSES: readonly CacheMissCause[] = ["compacted", "model", "tools", "rewritten", "idle", "unknown"];

/** What the money of a session went into. */
export function costParts(
  summary: SessionSummary,
  { step, agent, texts }: SummarySteps,
): readonly ShownPart[] {
  const { models, agents, turns, largestCalls, cacheMisses, context } = summary;
  const calls = ["step", "agent", "model", "contextTokens", "output", "usd"] as const;
  const turn = ["step", "agent", "calls", "usd"] as const;
  return [
    table(
      own`models`,
      ["name", "calls", "usd", "input", "cacheRead", "cacheWrite", "output"],
      models
        .slice(0, MOST_ROWS)
        .map((one) => [
          name("model", one.model),
          one.calls,
          usd(one.cost),
          ...Object.values(tokenFields(one.usage)),
        ]),
    ),
    table(
      own`agents`,
      ["agent", "role", "modelCalls", "toolCalls", "usd"],
      costliest(agents).map((one) => [
        agent(one.agentId),
        name("agent", one.name),
        one.calls,
        one.toolCalls,
        usd(one.cost),
      ]),
    ),
    table(
      own`costliest turns`,
      texts ? [...turn, "prompt"] : turn,
      costliest(turns).map((one) => [
        step(one.stepId),
        agent(one.agentId),
        one.calls,
        usd(one.cost),
        ...(texts ? [one.prompt] : []),
      ]),
    ),
    table(
      own`costliest model calls`,
      calls,
      largestCalls
        .slice(0, MOST_ROWS)
        .map((one) => [
          step(one.stepId),
          agent(one.agentId),
          name("model", one.model),
          one.contextTokens,
          one.outputTokens,
          usd(one.cost),
        ]),
    ),
    fields(own`cache misses`, {
      count: cacheMisses.count,
      tokens: cacheMisses.tokens,
      usd: cents(cacheMisses.usd),
    }),
    table(
      own`cache misses by cause`,
      ["cause", "count", "tokens", "usd"],
      cacheMisses.byCause.map((one) => [listed(CAUSES, one.cause), one.count, one.tokens, cents(one.usd)]),
    ),
    carriedTable(context.byTool, "tool", MOST_ROWS),
    carriedTable(context.byFile, "file", MOST_ROWS),
    fields(own`paid for being read again`, {
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

const CARRIED = ["name", "items", "tokensRead", "usd"] as const;

/** What filled contexts, and was read again with every call. */
export function carriedTable(groups: readonly CarriedGroup[], kind: NameKind, most: number): ShownPart {
  const rows = groups
    .slice(0, most)
    .map((one): readonly Cell[] => [name(kind, one.name), one.items, Math.round(one.tokens), cents(one.usd)]);
  return table(TITLES[kind] ?? own`read again`, CARRIED, rows);
}

const TITLES: { readonly [Kind in NameKind]?: ReturnType<typeof own> } = {
  tool: own`read again, by tool`,
  file: own`read again, by file`,
  agent: own`read again, by agent`,
};
