import { type AgentSteps, boundariesOf, failedAttempts, intervalsOf } from "./agent-steps.js";
import { type Interval, shareOut } from "./intervals.js";

/**
 * Milliseconds of an agent by class. If several classes apply, the first one in the order of these members counts: the agent's own work,
 * then work done for it, then its waits. So waiting for a person or for a retry covers only the time in which nobody worked. One
 * exception: if a runtime records that it waits for a person, open tools count as waiting, too.
 */
export interface TimeByClass {
  /** A model was called, or wrote the summary of a compaction. */
  readonly model: number;
  /** Its own tools ran. */
  readonly tools: number;
  /** A tool that had spawned agents ran, or an agent worked in the background. */
  readonly subAgents: number;
  /** It waited for a person: for an approval, for an answer, for the first or the next prompt. */
  readonly person: number;
  /** Attempts to call a model failed and were made again; the time until the next attempt included. */
  readonly retrying: number;
  /** Time that no record explains. */
  readonly unknown: number;
}

/**
 * @param atWork when its sub-agents worked
 * @param pauses when it waited for the next prompt
 * @param whole the complete time
 */
export function timeByClass(
  own: AgentSteps,
  atWork: readonly Interval[],
  pauses: readonly Interval[],
  whole: Interval,
): TimeByClass {
  const { retried, called } = failedAttempts(own);
  const persons: Interval[] = [...pauses];
  const spawning: Interval[] = [...atWork];
  const running: Interval[] = [];
  for (const { call, ran } of own.tools) {
    // A call that a person refused waited for that person.
    if (call.asksPerson || call.isRefused) persons.push(ran);
    else if (call.spawned.length > 0) spawning.push(ran);
    else running.push(ran);
  }
  const model = [...called, ...intervalsOf(own.compactions)];
  const classes = [model, waitsOf(own, whole), running, spawning, persons, retried, [whole]];
  const [modelMs = 0, waitMs = 0, toolsMs = 0, agentsMs = 0, personMs = 0, retryingMs = 0, restMs = 0] =
    shareOut(classes, whole);
  return {
    model: modelMs,
    tools: toolsMs,
    subAgents: agentsMs,
    person: waitMs + personMs,
    retrying: retryingMs,
    unknown: restMs,
  };
}

/** A wait lasts until the agent continues: until one of its steps begins or ends. */
function waitsOf(own: AgentSteps, [, end]: Interval): readonly Interval[] {
  if (own.waits.length === 0) return [];
  const boundaries = boundariesOf(own);
  let next = 0;
  return [...own.waits]
    .sort((a, b) => a - b)
    .map((at): Interval => {
      while (next < boundaries.length && boundaries[next]! <= at) next++;
      return [at, boundaries[next] ?? end];
    });
}
