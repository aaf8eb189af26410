import { groupBy } from "../../../src/domain/lists/lists.js";
import { type AgentRun, type AgentWait, deciderOf } from "./agent-waits.js";

/** A stretch of an agent's run that decided when the session ended. */
export interface PathPiece {
  readonly agentId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The chain of agents that decided when the last of them ended, in the order of time; the pieces do not overlap.
 *
 * It is walked backwards from the last end. Where an agent had waited, the time before is that of the agent that it waited for, up to
 * that one's end; where an agent began, the time before is that of the agent that spawned it. Of waits side by side the last one to end
 * counts. Each wait and each beginning is gone through once at most, so that waits in a circle end it, too.
 */
export function criticalPath(runs: readonly AgentRun[], waits: readonly AgentWait[]): PathPiece[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const sorted = waits.filter(({ from, to }) => from < to).sort((a, b) => a.to - b.to);
  const waitsLeft = groupBy(sorted, ({ waiterId }) => waiterId);
  const begun = new Set<string>();
  const pieces: PathPiece[] = [];
  let run = lastToEnd(runs);
  let at = run?.to ?? 0;
  // An agent that spawns another was not waiting, whatever else it had requested before.
  let isSpawning = false;
  while (run !== undefined) {
    const wait = takeWait(waitsLeft.get(run.id), at, isSpawning);
    if (wait === undefined) {
      addPiece(pieces, run.id, run.from, at);
      at = Math.min(at, run.from);
      const isKnown = begun.has(run.id);
      begun.add(run.id);
      run = isKnown ? undefined : byId.get(run.parentId ?? "");
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

/** The last wait of an agent before an instant; none is taken twice, because the walk only goes back. */
function takeWait(left: AgentWait[] | undefined, at: number, onlyEnded: boolean): AgentWait | undefined {
  for (let wait = left?.pop(); wait !== undefined; wait = left?.pop()) {
    if (wait.from < at && (wait.to <= at || !onlyEnded)) return wait;
  }
  return undefined;
}

/** @param pieces the latest first */
function addPiece(pieces: PathPiece[], agentId: string, from: number, to: number): void {
  if (from >= to) return;
  const later = pieces.at(-1);
  if (later?.agentId === agentId && later.from === to) pieces[pieces.length - 1] = { ...later, from };
  else pieces.push({ agentId, from, to });
}
