import { groupBy } from "../../../../src/domain/lists/lists.js";
import { type Interval, lengthOf, unionOf } from "../../../../src/domain/time/intervals.js";

export interface AgentRun {
  readonly id: string;
  /** `undefined` for the main agent. */
  readonly parentId: string | undefined;
  readonly from: number;
  readonly to: number;
}

export interface AgentWait {
  readonly waiterId: string;
  readonly awaitedIds: readonly string[];
  readonly from: number;
  readonly to: number;
  /** The agent whose end resolved it, if recorded. */
  readonly resolvedBy: string | undefined;
}

export type AgentRuns = ReadonlyMap<string, AgentRun>;

/**
 * The agent that decided the length of a wait: the recorded resolver, else the awaited agent that ended last. `undefined` if none is
 * recorded, or had begun when the wait ended.
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

export interface AwaitedAgent {
  readonly agentId: string;
  readonly waiterIds: readonly string[];
  readonly ms: number;
}

/** The longest first. A wait for several agents counts for the agent that decided it. */
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

/** Simultaneous waits count once. */
export function waitedMs(waits: readonly AgentWait[]): number {
  return lengthOf(unionOf(waits.map(({ from, to }): Interval => [from, to])));
}
