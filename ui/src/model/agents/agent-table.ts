import { addCost, type Cost } from "../../../../src/domain/usage/money.js";

export interface AgentSums {
  readonly agents: number;
  readonly llmCalls: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** `undefined` without model calls, or until prices are available. */
  readonly cost: Cost | undefined;
  readonly errors: number;
  /** From the first start to the last end. */
  readonly durationMs: number;
  /** Sum of all agents' waiting times. */
  readonly waitedMs: number;
}

export interface AgentFacts {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly role: string;
  /** One recorded word; `""` without one. */
  readonly state: string;
  readonly models: readonly string[];
  /** One line; `""` if not recorded. Read on demand: a screen displays forty of thousands. */
  prompt(): string;
  /** Epoch milliseconds; NaN if not recorded. */
  readonly from: number;
  readonly to: number;
  readonly own: Omit<AgentSums, "agents" | "durationMs">;
}

export interface AgentEntry extends AgentFacts {
  readonly parentId: string | undefined;
  readonly children: readonly AgentEntry[];
  readonly sums: { readonly [scope in SumsScope]: AgentSums };
}

interface GrowingEntry extends AgentEntry {
  readonly children: GrowingEntry[];
  readonly sums: { readonly own: AgentSums; branch: AgentSums };
  ends: Ends;
}

export type SumsScope = "own" | "branch";

/**
 * In the order of spawning, with the sums of each branch. Visits each agent a few times, at any depth.
 * @param agents the main agent first; it adopts agents with an unregistered parent, or that are their own ancestors
 */
export function agentTree(agents: readonly AgentFacts[]): AgentEntry[] {
  const [main] = agents;
  if (main === undefined) return [];
  const parents = parentsOf(agents, main.id);
  const entries = new Map(
    agents.map((facts): [string, GrowingEntry] => {
      const own = ownSums(facts);
      const parentId = parents.get(facts.id);
      return [
        facts.id,
        { ...facts, parentId, children: [], sums: { own, branch: own }, ends: endsOf(facts) },
      ];
    }),
  );
  const all = [...entries.values()];
  for (const entry of all) entries.get(entry.parentId ?? "")?.children.push(entry);
  const order = all.slice(0, 1);
  for (const { children } of order) order.push(...children);
  for (const entry of order.toReversed()) {
    const parent = entries.get(entry.parentId ?? "");
    if (parent === undefined) continue;
    parent.ends = [Math.min(parent.ends[0], entry.ends[0]), Math.max(parent.ends[1], entry.ends[1])];
    parent.sums.branch = addSums(parent.sums.branch, entry.sums.branch, lengthOf(parent.ends));
  }
  return all;
}

/**
 * Removes cycles.
 * @param main parent of agents with an unregistered parent; it has no parent itself
 */
export function parentsOf(
  agents: readonly { readonly id: string; readonly parentId: string | undefined }[],
  main: string,
): ReadonlyMap<string, string> {
  const recorded = new Map(agents.map(({ id, parentId }) => [id, parentId]));
  const parents = new Map<string, string>();
  for (const id of recorded.keys()) {
    const way = new Set<string>();
    let at = id;
    while (at !== main && !parents.has(at) && !way.has(at)) {
      way.add(at);
      const parent = recorded.get(at);
      at = parent !== undefined && recorded.has(parent) ? parent : main;
    }
    const circle = way.has(at) ? at : undefined;
    let isInCircle = false;
    for (const agent of way) {
      isInCircle ||= agent === circle;
      const parent = recorded.get(agent);
      const hasParent = parent !== undefined && recorded.has(parent) && !isInCircle;
      parents.set(agent, hasParent ? parent : main);
    }
  }
  return parents;
}

export function sumsOf(agents: readonly AgentFacts[]): AgentSums {
  let ends: Ends = NEVER;
  let sums = NO_SUMS;
  for (const facts of agents) {
    const [from, to] = endsOf(facts);
    ends = [Math.min(ends[0], from), Math.max(ends[1], to)];
    sums = addSums(sums, ownSums(facts), lengthOf(ends));
  }
  return sums;
}

type Ends = readonly [from: number, to: number];

const NEVER: Ends = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

function endsOf({ from, to }: AgentFacts): Ends {
  return Number.isNaN(from) || Number.isNaN(to) ? NEVER : [from, to];
}

function lengthOf([from, to]: Ends): number {
  return Math.max(0, to - from);
}

function ownSums(facts: AgentFacts): AgentSums {
  return { ...facts.own, agents: 1, durationMs: lengthOf(endsOf(facts)) };
}

const NO_SUMS: AgentSums = {
  agents: 0,
  llmCalls: 0,
  toolCalls: 0,
  tokens: 0,
  cost: undefined,
  errors: 0,
  durationMs: 0,
  waitedMs: 0,
};

function addSums(a: AgentSums, b: AgentSums, durationMs: number): AgentSums {
  const cost = a.cost && b.cost ? addCost(a.cost, b.cost) : (a.cost ?? b.cost);
  return {
    agents: a.agents + b.agents,
    llmCalls: a.llmCalls + b.llmCalls,
    toolCalls: a.toolCalls + b.toolCalls,
    tokens: a.tokens + b.tokens,
    cost,
    errors: a.errors + b.errors,
    durationMs,
    waitedMs: a.waitedMs + b.waitedMs,
  };
}
