import type { CacheMiss } from "../../../../src/domain/cost/cache-misses.js";
import type { CallTotals } from "../../../../src/domain/cost/call-totals.js";
import type { Carried } from "../../../../src/domain/cost/carrying-cost.js";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import { contextTokens } from "../../../../src/domain/usage/token-counts.js";
import { type AddressQuery, changeQuery, MAIN_AGENT, type SessionTab } from "../address/address.js";
import { ALL_SPANS, writeFilters } from "../trace/trace-filters.js";

interface RowTarget {
  readonly tab: SessionTab;
  readonly query: AddressQuery;
}

export interface SummaryRow {
  readonly key: string;
  readonly label: string;
  readonly note?: string;
  readonly target?: RowTarget;
  /** From 0 to 1. */
  readonly share: number;
  readonly carried?: Carried & { readonly size?: number };
  readonly totals?: CallTotals;
}

export interface PartNames {
  readonly system: string;
  readonly unaccounted: string;
  readonly unseen: string;
  readonly mainAgent: string;
  readonly unknownModel: string;
}

export type ContextGrouping = "items" | "tools" | "files" | "agents" | "origins";

function stepTarget(event: string | undefined): RowTarget | undefined {
  return event === undefined || event === "" ? undefined : { tab: "trace", query: { event } };
}

/** First the system prompt and tools, as in each context, then the largest. */
export function contextRows(
  { context, agents }: SessionSummary,
  by: ContextGrouping,
  names: PartNames,
): readonly SummaryRow[] {
  const { items, byTool, byFile, byAgent, byOrigin, system, unaccounted, unseen } = context;
  const all = [...byOrigin, system, unaccounted, unseen].reduce((sum, { tokens }) => sum + tokens, 0);
  const row = (
    key: string,
    label: string,
    carried: Carried & { readonly size?: number },
    target?: RowTarget,
  ): SummaryRow => ({
    key,
    label,
    share: all === 0 ? 0 : carried.tokens / all,
    carried,
    ...(target === undefined ? {} : { target }),
  });
  const systemRow = row("system", names.system, system, { tab: "context", query: { call: "1" } });
  if (by === "items") {
    const size = system.calls === 0 ? 0 : Math.round(system.tokens / system.calls);
    const first = { ...systemRow, carried: { ...system, size } };
    const rows = items.map((item, i): SummaryRow => {
      const words = item.toolName === undefined ? item.text : `${item.toolName} ${item.text}`;
      const label = words.trim() || (item.messageIndex < 0 ? item.part : `#${Math.floor(item.messageIndex)}`);
      const note = item.part === "text" ? item.origin : item.part;
      return { ...row(`item ${i}`, label, item, itemTarget(item)), note };
    });
    return system.tokens > 0 ? [first, ...rows] : rows;
  }
  const groups = { tools: byTool, files: byFile, agents: byAgent, origins: byOrigin }[by];
  const rows = groups.map((group) =>
    row(`${by} ${group.name}`, group.name || names.mainAgent, group, groupTarget(by, group.name, agents)),
  );
  if (by !== "origins") return rows;
  const rest = [
    systemRow,
    row("unaccounted", names.unaccounted, unaccounted),
    row("unseen", names.unseen, unseen),
  ];
  return [...rows, ...rest.filter(({ share }) => share > 0)].sort((a, b) => b.share - a.share);
}

function groupTarget(
  by: Exclude<ContextGrouping, "items">,
  name: string,
  agents: SessionSummary["agents"],
): RowTarget | undefined {
  switch (by) {
    case "tools":
      return { tab: "trace", query: changeQuery({}, writeFilters({ ...ALL_SPANS, tools: [name] })) };
    case "files":
      return { tab: "trace", query: { kind: "tool", q: `"${name}"`, in: "input,output" } };
    case "agents": {
      if (name === "") return { tab: "context", query: {} };
      const named = agents.filter((agent) => agent.name === name);
      return named.length === 1
        ? { tab: "context", query: { agent: named[0]!.agentId } }
        : { tab: "agents", query: {} };
    }
    case "origins":
      return ORIGIN_TARGETS[name];
    default:
      by satisfies never;
      return undefined;
  }
}

const ORIGIN_TARGETS: { readonly [origin in string]?: RowTarget } = {
  user: { tab: "trace", query: { kind: "turn" } },
  assistant: { tab: "trace", query: { kind: "llm" } },
  tool: { tab: "trace", query: { kind: "tool" } },
  summary: { tab: "trace", query: { kind: "compaction" } },
  system: { tab: "context", query: { call: "1" } },
} satisfies { readonly [origin in CarriedOrigin]: RowTarget };

type CarriedOrigin = SessionSummary["context"]["items"][number]["origin"];

function itemTarget({
  stepId,
  messageIndex,
  agentId,
}: SessionSummary["context"]["items"][number]): RowTarget | undefined {
  if (messageIndex >= 0) {
    const agent = agentId === "" ? {} : { agent: agentId };
    return { tab: "messages", query: { ...agent, at: String(Math.floor(messageIndex)) } };
  }
  return stepTarget(stepId);
}

export type MoneyGrouping = "models" | "agents" | "turns" | "largestCalls";

/**
 * Most expensive first; by tokens if nothing has a price.
 * @param subjects loaded texts of model calls by step
 */
export function moneyRows(
  summary: SessionSummary,
  by: MoneyGrouping,
  names: PartNames,
  subjects?: ReadonlyMap<string, string>,
): readonly SummaryRow[] {
  const { total } = summary;
  const share = (usd: number, tokens: number) => {
    if (total.cost.usd > 0) return usd / total.cost.usd;
    const all = tokensOf(total);
    return all === 0 ? 0 : tokens / all;
  };
  const row = (key: string, label: string, totals: CallTotals, target?: RowTarget): SummaryRow => ({
    key,
    label,
    totals,
    share: share(totals.cost.usd, tokensOf(totals)),
    ...(target === undefined ? {} : { target }),
  });
  switch (by) {
    case "models":
      return summary.models.map((one) =>
        row(
          one.model,
          one.model || names.unknownModel,
          one,
          modelTarget(one.model, summary.models.length === 1),
        ),
      );
    case "agents":
      return summary.agents.map((one) => {
        const target: RowTarget =
          one.agentId === ""
            ? { tab: "trace", query: { kind: "llm", agent: MAIN_AGENT } }
            : { tab: "agents", query: { agent: one.agentId } };
        return row(one.agentId, one.name || names.mainAgent, one, target);
      });
    case "turns":
      return summary.turns.map((one) => {
        const step = row(one.stepId, one.prompt || one.stepId, one, stepTarget(one.stepId));
        const name = summary.agents.find(({ agentId }) => agentId === one.agentId)?.name;
        return one.agentId === "" ? step : { ...step, note: name || one.agentId };
      });
    case "largestCalls":
      return summary.largestCalls.map(({ stepId, model, contextTokens, outputTokens, cost, ms }) => {
        const usage = { inputTokens: contextTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 };
        const uncountedCalls = contextTokens + outputTokens === 0 ? 1 : 0;
        const totals = { calls: 1, uncountedCalls, usage, cost, placeholderCalls: 0, ms };
        const subject = subjects?.get(stepId);
        const step = row(stepId, subject || model || names.unknownModel, totals, stepTarget(stepId));
        return subject ? { ...step, note: model } : step;
      });
    default:
      by satisfies never;
      return [];
  }
}

/** All calls for the only model; otherwise marks calls that name it. */
function modelTarget(model: string, isOnly: boolean): RowTarget {
  const searchQuery: AddressQuery = isOnly || model === "" ? {} : { q: `"${model}"`, in: "other" };
  return { tab: "trace", query: { kind: "llm", ...searchQuery } };
}

export function tokensOf({ usage }: CallTotals): number {
  return contextTokens(usage) + usage.outputTokens;
}

export function missesByCause({ cacheMisses }: SessionSummary): readonly {
  readonly cause: CacheMiss["cause"];
  readonly count: number;
  readonly tokens: number;
  readonly usd: number;
  readonly unpricedTokens: number;
  readonly largest: readonly CacheMiss[];
}[] {
  return cacheMisses.byCause.map((one) => ({
    ...one,
    largest: cacheMisses.calls.filter(({ cause }) => cause === one.cause).slice(0, 3),
  }));
}
