import type { AgentContexts } from "../context/agent-contexts.js";
import type { ContextItem } from "../context/context-item.js";
import { type Carried, CarriedSum, carryingCost } from "../cost/carrying-cost.js";
import { isPause } from "../lists/is-pause.js";
import { MOST_LISTED, type ModelCall, type SessionSteps, type ToolCall } from "../steps/session-steps.js";
import { costOfUsage } from "../usage/money.js";
import { contextTokens } from "../usage/token-counts.js";
import type { CarriedGroup, CarriedItem, ContextPoint, ContextSummary } from "./session-summary.js";
import type { RatesOfCall } from "./summarise-calls.js";

const MOST_POINTS = 500;

interface SummarisedContexts {
  readonly context: ContextSummary;
  readonly carriedBySteps: ReadonlyMap<string, Carried>;
}

export function* summariseContexts(
  steps: SessionSteps,
  agents: readonly AgentContexts[],
  ratesOf: RatesOfCall,
): Generator<void, SummarisedContexts> {
  const tools = new Map(steps.tools.map((tool) => [tool.toolCallId, tool]));
  const names = new Map(steps.agents.map(({ agentId, name }) => [agentId, name]));
  const groups = { origin: new Groups(), tool: new Groups(), file: new Groups(), agent: new Groups() };
  const carriedBySteps = new Map<string, CarriedSum>();
  const items = new LargestItems();
  const [system, unaccounted, unseen] = [new CarriedSum(), new CarriedSum(), new CarriedSum()];
  let itemCount = 0;
  for (const agent of agents) {
    const cost = carryingCost(agent, ({ call }) => ratesOf(call));
    yield;
    system.addApart(cost.system);
    unaccounted.addApart(cost.unaccounted);
    for (const call of agent.unseen) addRead(unseen, call, ratesOf);
    const agentName = agent.agentId === "" ? "" : (names.get(agent.agentId) ?? agent.agentId);
    groups.agent.add(agentName, cost.system);
    for (const [place, item] of agent.items.entries()) {
      const carried = cost.items[place]!;
      if (carried.calls === 0) continue;
      itemCount++;
      const tool = tools.get(item.toolCallId);
      groups.origin.add(item.origin, carried);
      groups.agent.add(agentName, carried);
      if (tool !== undefined) {
        groups.tool.add(tool.name, carried);
        const sum = carriedBySteps.get(tool.stepId) ?? new CarriedSum();
        carriedBySteps.set(tool.stepId, sum);
        sum.add(carried);
      }
      if (tool?.paths.length === 1) groups.file.add(tool.subject || tool.paths[0]!, carried);
      if (items.isLarge(carried)) items.add(carriedItem(agent.agentId, item, carried, tool));
      if (isPause(place)) yield;
    }
    yield;
  }
  const context = {
    curve: contextCurve(steps, agents),
    system: system.result(),
    unaccounted: unaccounted.result(),
    unseen: unseen.result(),
    items: items.result(),
    itemCount,
    byOrigin: groups.origin.largest(),
    byTool: groups.tool.largest(),
    byFile: groups.file.largest(),
    byAgent: groups.agent.largest(),
  };
  return { context, carriedBySteps };
}

export function contextCurve(steps: SessionSteps, agents: readonly AgentContexts[]): readonly ContextPoint[] {
  const orders = new Map(steps.calls.map((call, order) => [call, order]));
  const points: { readonly order: number; readonly call: ModelCall; readonly tokens: number }[] = [];
  const add = (call: ModelCall, estimate: number) => {
    const tokens = call.usage === undefined ? Math.round(estimate) : contextTokens(call.usage);
    if (tokens !== 0) points.push({ order: orders.get(call) ?? 0, call, tokens });
  };
  for (const { items, contexts, unseen } of agents) {
    for (const { call, system, unaccounted, scale, runs } of contexts) {
      add(call, system + unaccounted + scale * sizeOf(items, runs, call.usage === undefined));
    }
    for (const call of unseen) add(call, 0);
  }
  points.sort((a, b) => a.order - b.order);
  const plotted = thinned(points, ({ tokens }) => tokens, MOST_POINTS);
  return plotted.map(({ call: { stepId, agentId, at, usage }, tokens }) => ({
    stepId,
    agentId,
    at: new Date(at).toISOString(),
    tokens,
    isEstimated: usage === undefined,
  }));
}

function carriedItem(
  agentId: string,
  { origin, part, messageIndex, text }: ContextItem,
  carried: Carried,
  tool: ToolCall | undefined,
): CarriedItem {
  return {
    agentId,
    origin,
    part,
    messageIndex,
    ...(tool === undefined ? {} : { stepId: tool.stepId, toolName: tool.name }),
    text: tool?.subject || text,
    size: carried.tokens / carried.calls,
    ...carried,
  };
}

/** The items with the most tokens. Only items that may be among them are created. */
class LargestItems {
  readonly #items: CarriedItem[] = [];
  #least = Number.NEGATIVE_INFINITY;

  isLarge({ tokens }: Carried): boolean {
    return tokens > this.#least;
  }

  add(item: CarriedItem): void {
    this.#items.push(item);
    if (this.#items.length > 4 * MOST_LISTED) this.#cut();
  }

  result(): readonly CarriedItem[] {
    this.#cut();
    return [...this.#items];
  }

  #cut(): void {
    this.#items.sort((a, b) => b.tokens - a.tokens);
    this.#items.length = Math.min(this.#items.length, MOST_LISTED);
    if (this.#items.length === MOST_LISTED) this.#least = this.#items[MOST_LISTED - 1]!.tokens;
  }
}

function addRead(sum: CarriedSum, call: ModelCall, ratesOf: RatesOfCall): void {
  const { usage } = call;
  if (usage === undefined) return;
  const rates = ratesOf(call);
  const tokens = contextTokens(usage);
  sum.addApart({
    calls: 1,
    tokens,
    cachedTokens: usage.cacheReadTokens,
    usd: rates === undefined ? 0 : costOfUsage({ ...usage, outputTokens: 0 }, rates),
    unpricedTokens: rates === undefined ? tokens : 0,
  });
}

function sizeOf(
  items: readonly ContextItem[],
  runs: AgentContexts["contexts"][number]["runs"],
  isPrompted: boolean,
): number {
  if (!isPrompted) return 0;
  let size = 0;
  for (const [from, to] of runs) for (let at = from; at < to; at++) size += items[at]!.estimate;
  return size;
}

class Groups {
  readonly #groups = new Map<string, { readonly sum: CarriedSum; items: number }>();

  add(name: string, carried: Carried): void {
    const group = this.#groups.get(name) ?? { sum: new CarriedSum(), items: 0 };
    this.#groups.set(name, group);
    group.sum.add(carried);
    group.items++;
  }

  largest(): readonly CarriedGroup[] {
    const groups = [...this.#groups].map(([name, { sum, items }]) => ({ name, ...sum.result(), items }));
    return groups.sort((a, b) => b.tokens - a.tokens).slice(0, MOST_LISTED);
  }
}

/**
 * Retains the lowest and the highest point of each stretch, and the first and the last of all.
 * @param most at least 4
 */
function thinned<T>(points: readonly T[], heightOf: (point: T) => number, most: number): readonly T[] {
  if (points.length <= most) return points;
  const stretches = Math.floor((most - 2) / 2);
  const selected = new Set([0, points.length - 1]);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * points.length) / stretches);
    const to = Math.floor(((stretch + 1) * points.length) / stretches);
    let [lowest, highest] = [from, from];
    for (let at = from; at < to; at++) {
      if (heightOf(points[at]!) < heightOf(points[lowest]!)) lowest = at;
      if (heightOf(points[at]!) > heightOf(points[highest]!)) highest = at;
    }
    selected.add(lowest).add(highest);
  }
  return [...selected].sort((a, b) => a - b).map((at) => points[at]!);
}
