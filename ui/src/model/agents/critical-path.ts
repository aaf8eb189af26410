import { groupBy } from "../../../../src/domain/lists/lists.js";
import { type AgentRun, type AgentWait, deciderOf } from "./agent-waits.js";

export interface PathPiece {
  readonly agentId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The chain of agents that decided when the last one ended, sorted by time, without overlaps. Walks backwards from the last end: before a
 * wait to the awaited agent, before a start to the spawning agent. Of simultaneous waits the last to end counts. Each wait and start is
 * visited once, so that circular waits terminate.
 */
export function criticalPath(runs: readonly AgentRun[], waits: readonly AgentWait[]): PathPiece[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const sorted = waits.filter(({ from, to }) => from < to).sort((a, b) => a.to - b.to);
  const waitsLeft = groupBy(sorted, ({ waiterId }) => waiterId);
  const begun = new Set<string>();
  const pieces: PathPiece[] = [];
  let run = lastToEnd(runs);
  let at = run?.to ?? 0;
  // An agent that spawns another was not waiting, regardless of earlier requests.
  let isSpawning = false;
  while (run !== undefined) {
    const wait = takeWait(waitsLeft.get(run.id), at, isSpawning);
    if (wait === undefined) {
      addPiece(pieces, run.id, run.from, at);
      at = Math.min(at, run.from);
      const hasBegun = begun.has(run.id);
      begun.add(run.id);
      run = hasBegun ? undefined : byId.get(run.parentId ?? "");
      isSpawning = true;
      continue;
    }
    const decider = deciderOf(wait, byId);
    if (decider === undefined || decider === run) continue;
    const end = Math.min(decider.to, wait.to, at);
    addPiece(pieces, run.id, end, at);
    [run, at, isSpawning] = [decider, end, false];
  }
  return pieces.reverse();
}

function lastToEnd(runs: readonly AgentRun[]): AgentRun | undefined {
  return runs.reduce<AgentRun | undefined>(
    (last, run) => (last && last.to >= run.to ? last : run),
    undefined,
  );
}

/** Each wait is taken once, because the walk only goes back. */
function takeWait(left: AgentWait[] | undefined, at: number, onlyEnded: boolean): AgentWait | undefined {
  for (let wait = left?.pop(); wait !== undefined; wait = left?.pop()) {
    if (wait.from < at && (wait.to <= at || !onlyEnded)) return wait;
  }
  return undefined;
}

/** @param pieces latest first */
function addPiece(pieces: PathPiece[], agentId: string, from: number, to: number): void {
  if (from >= to) return;
  const later = pieces.at(-1);
  if (later?.agentId === agentId && later.from === to) pieces[pieces.length - 1] = { ...later, from };
  else pieces.push({ agentId, from, to });
}
