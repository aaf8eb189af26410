import { contextTokens } from "../conversation/token-counts.js";
import type { AgentContexts } from "./agent-contexts.js";
import { addCarried, type Carried, carryingCost, NOTHING_CARRIED } from "./carrying-cost.js";
import type { ContextItem } from "./context-item.js";
import type { ModelCall, SessionSteps, ToolCall } from "./session-steps.js";
import type { CarriedGroup, CarriedItem, ContextPoint, ContextSummary } from "./session-summary.js";
import { MOST_LISTED, type RatesOfCall } from "./summarise-calls.js";
import { thinned } from "./thin-curve.js";

const MOST_POINTS = 500;

export interface SummarisedContexts {
  readonly context: ContextSummary;
  /** What each tool call cost because its input and its result were in contexts, by its step. */
  readonly carriedBySteps: ReadonlyMap<string, Carried>;
}

/** What filled the contexts of all agents, and what each part of it cost. */
export function* summariseContexts(
  steps: SessionSteps,
  agents: readonly AgentContexts[],
  ratesOf: RatesOfCall,
): Generator<void, SummarisedContexts> {
  const tools = new Map(steps.tools.map((tool) => [tool.toolCallId, tool]));
  const names = new Map(steps.agents.map(({ agentId, name }) => [agentId, name]));
  const groups = { origin: new Groups(), tool: new Groups(), file: new Groups(), agent: new Groups() };
  const carriedBySteps = new Map<string, Carried>();
  const items: CarriedItem[] = [];
  let [system, unaccounted, unseen] = [NOTHING_CARRIED, NOTHING_CARRIED, NOTHING_CARRIED];
  let itemCount = 0;
  for (const agent of agents) {
    const cost = carryingCost(agent, ({ call }) => ratesOf(call));
    yield;
    system = addParts(system, cost.system);
    unaccounted = addParts(unaccounted, cost.unaccounted);
    for (const call of agent.unseen) unseen = addParts(unseen, readBy(call, ratesOf));
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
        carriedBySteps.set(
          tool.stepId,
          addCarried(carriedBySteps.get(tool.stepId) ?? NOTHING_CARRIED, carried),
        );
      }
      if (tool?.paths.length === 1) groups.file.add(tool.subject || tool.paths[0]!, carried);
      items.push(carriedItem(agent.agentId, item, carried, tool));
      if (items.length > 40 * MOST_LISTED) keepLargest(items);
      if (place % 5_000 === 4_999) yield;
    }
    yield;
  }
  keepLargest(items);
  const context = {
    curve: contextCurve(steps, agents),
    system,
    unaccounted,
    unseen,
    items: items.slice(0, MOST_LISTED),
    itemCount,
    byOrigin: groups.origin.largest(),
    byTool: groups.tool.largest(),
    byFile: groups.file.largest(),
    byAgent: groups.agent.largest(),
  };
  return { context, carriedBySteps };
}

/** The size of the context at each model call, in the order of the trace. */
export function contextCurve(steps: SessionSteps, agents: readonly AgentContexts[]): readonly ContextPoint[] {
  const orders = new Map(steps.calls.map(({ stepId }, order) => [stepId, order]));
  const points: (ContextPoint & { readonly order: number })[] = [];
  const add = ({ stepId, agentId, at, usage }: ModelCall, estimate: number) => {
    const tokens = usage === undefined ? Math.round(estimate) : contextTokens(usage);
    const isEstimated = usage === undefined;
    if (tokens === 0) return;
    points.push({
      order: orders.get(stepId) ?? 0,
      stepId,
      agentId,
      at: new Date(at).toISOString(),
      tokens,
      isEstimated,
    });
  };
  for (const { items, contexts, unseen } of agents) {
    for (const { call, system, unaccounted, scale, runs } of contexts) {
      add(call, system + unaccounted + scale * sizeOf(items, runs, call.usage === undefined));
    }
    for (const call of unseen) add(call, 0);
  }
  points.sort((a, b) => a.order - b.order);
  return thinned(points, ({ tokens }) => tokens, MOST_POINTS).map(({ order: _, ...point }) => point);
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

function keepLargest(items: CarriedItem[]): void {
  items.sort((a, b) => b.tokens - a.tokens);
  items.length = Math.min(items.length, MOST_LISTED);
}

/** All that a call read, as nobody knows what it was. */
function readBy(call: ModelCall, ratesOf: RatesOfCall): Carried {
  const { usage } = call;
  if (usage === undefined) return NOTHING_CARRIED;
  const rates = ratesOf(call);
  const tokens = contextTokens(usage);
  const oneHour = usage.cacheWrite1hTokens ?? 0;
  const usd =
    rates === undefined
      ? 0
      : usage.inputTokens * rates.input +
        usage.cacheReadTokens * rates.cacheRead +
        (usage.cacheWriteTokens - oneHour) * rates.cacheWrite +
        oneHour * rates.cacheWrite1h;
  return {
    calls: 1,
    tokens,
    cachedTokens: usage.cacheReadTokens,
    usd,
    unpricedTokens: rates === undefined ? tokens : 0,
  };
}

/** Parts that are read by different calls. */
function addParts(a: Carried, b: Carried): Carried {
  return { ...addCarried(a, b), calls: a.calls + b.calls };
}

function sizeOf(
  items: readonly ContextItem[],
  runs: AgentContexts["contexts"][number]["runs"],
  isAsked: boolean,
): number {
  if (!isAsked) return 0;
  let size = 0;
  for (const [from, to] of runs) for (let at = from; at < to; at++) size += items[at]!.estimate;
  return size;
}

/** Sums of what was carried, by name. */
class Groups {
  readonly #groups = new Map<string, CarriedGroup>();

  add(name: string, carried: Carried): void {
    const sum = this.#groups.get(name) ?? { items: 0, ...NOTHING_CARRIED };
    this.#groups.set(name, { name, ...addCarried(sum, carried), items: sum.items + 1 });
  }

  largest(): readonly CarriedGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.tokens - a.tokens).slice(0, MOST_LISTED);
  }
}
