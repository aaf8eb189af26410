import { groupBy } from "../../../src/domain/lists/lists.js";
import { type Interval, lengthOf, unionOf } from "../../../src/domain/time/intervals.js";

/** When an agent ran, in epoch milliseconds. */
export interface AgentRun {
  readonly id: string;
  /** Who spawned it; `undefined` for the main agent. */
  readonly parentId: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** A stretch in which an agent made no progress, because it waited for others. */
export interface AgentWait {
  readonly waiterId: string;
  readonly awaitedIds: readonly string[];
  readonly from: number;
  readonly to: number;
  /** The agent whose end resolved it, where that is recorded. */
  readonly resolvedBy: string | undefined;
}

/** Runs by the agent's id. */
export type AgentRuns = ReadonlyMap<string, AgentRun>;

/**
 * Returns the agent that decided how long a wait took: the recorded resolver, else the awaited agent that ended last. `undefined` if none
 * of them is recorded, or had begun when the wait ended.
 */
export function deciderOf({ awaitedIds, resolvedBy, to }: AgentWait, runs: AgentRuns): AgentRun | undefined {
  const resolver = runs.get(resolvedBy ?? "");
  if (resolver !== undefined && resolver.from < to) return resolver;
  let last: AgentRun | undefined;
  for (const id of awaitedIds) {
    const run = runs.get(id);
    if (run === undefined || run.from >= to) continue;
    if (last === undefined || Math.min(run.to, to) > Math.min(last.to, to)) last = run;
  }
  return last;
}

/** An agent that others waited for. */
export interface AwaitedAgent {
  readonly agentId: string;
  readonly waiterIds: readonly string[];
  /** The milliseconds that they waited for it, all of them together. */
  readonly ms: number;
}

/**
 * Returns the agents that others waited for, those that cost most time first. A wait for several agents counts for the agent that decided
 * it.
 */
export function awaitedAgents(waits: readonly AgentWait[], runs: AgentRuns): AwaitedAgent[] {
  const decided = waits.filter(({ from, to }) => from < to);
  const byDecider = groupBy(decided, (wait) => deciderOf(wait, runs)?.id);
  const awaited: AwaitedAgent[] = [];
  for (const [agentId, group] of byDecider) {
    if (agentId === undefined) continue;
    const byWaiter = groupBy(
      group.filter(({ waiterId }) => waiterId !== agentId),
      ({ waiterId }) => waiterId,
    );
    let ms = 0;
    for (const own of byWaiter.values()) ms += waitedMs(own);
    if (ms > 0) awaited.push({ agentId, waiterIds: [...byWaiter.keys()], ms });
  }
  return awaited.sort((a, b) => b.ms - a.ms);
}

/** Returns the time in which at least one of the waits lasted. Simultaneous waits count once. */
export function waitedMs(waits: readonly AgentWait[]): number {
  return lengthOf(unionOf(waits.map(({ from, to }): Interval => [from, to])));
}
