import { type AgentSteps, boundariesOf, failedAttempts, intervalsOf } from "./agent-steps.js";
import { type Interval, shareOut } from "./intervals.js";

/**
 * Milliseconds of an agent by class. In case of several classes the first one in the order of these members counts: own work, work for
 * it, waits. Exception: if a runtime records that it waits for a person, open tools count as waiting, too.
 */
export interface TimeByClass {
  /** Model calls, and summaries of compactions. */
  readonly model: number;
  readonly tools: number;
  /** Tools that spawned agents, and agents in the background. */
  readonly subAgents: number;
  /** Waits for a person: an approval, an answer, the first or the next prompt. */
  readonly person: number;
  /** Failed attempts to call a model, and the waits for the next ones. */
  readonly retrying: number;
  readonly unknown: number;
}

/**
 * @param atWork work of its sub-agents
 * @param pauses waits for the next prompt
 */
export function timeByClass(
  own: AgentSteps,
  atWork: readonly Interval[],
  pauses: readonly Interval[],
  session: Interval,
): TimeByClass {
  const { retried, called } = failedAttempts(own);
  const persons: Interval[] = [...pauses];
  const spawning: Interval[] = [...atWork];
  const running: Interval[] = [];
  for (const { call, ran } of own.tools) {
    // The time of a refused call is a wait for the person.
    if (call.asksPerson || call.isRefused) persons.push(ran);
    else if (call.spawned.length > 0) spawning.push(ran);
    else running.push(ran);
  }
  const model = [...called, ...intervalsOf(own.compactions)];
  const classes = [model, waitsOf(own, session), running, spawning, persons, retried, [session]];
  const [modelMs = 0, waitMs = 0, toolsMs = 0, agentsMs = 0, personMs = 0, retryingMs = 0, restMs = 0] =
    shareOut(classes, session);
  return {
    model: modelMs,
    tools: toolsMs,
    subAgents: agentsMs,
    person: waitMs + personMs,
    retrying: retryingMs,
    unknown: restMs,
  };
}

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
