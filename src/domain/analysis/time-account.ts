import { intervalsOf, stepsByAgent } from "./agent-steps.js";
import { type AgentTimes, agentTimes } from "./agent-times.js";
import { gapsBetween, type Interval, lengthOf, unionOf } from "./intervals.js";
import type { SessionSteps } from "./session-steps.js";
import { type TimeByClass, timeByClass } from "./time-by-class.js";
import { type ToolTimes, toolTimes } from "./tool-times.js";

/** Where the time of a session went. */
export interface TimeAccount extends AgentTimes, ToolTimes {
  /** Milliseconds from the first recorded instant to the last one. */
  readonly wholeMs: number;
  /** What the main agent was busy with. The six classes add up to `wholeMs`: an instant is of one class only. */
  readonly classes: TimeByClass;
}

export function timeOf(steps: SessionSteps): TimeAccount {
  const byAgent = stepsByAgent(steps);
  const whole: Interval = [Math.round(steps.from), Math.round(steps.to)];
  const main = byAgent.get("")!;
  const others = [...byAgent].filter(([agentId]) => agentId !== "");
  const silent = steps.agents.filter(({ agentId, isEnded }) => isEnded && !byAgent.get(agentId)?.work.length);
  const atWork = [...others.flatMap(([, { work }]) => work), ...intervalsOf(silent)];
  const turns = unionOf(intervalsOf(main.turns));
  const firstPrompt = turns.slice(0, 1).map(([from]): Interval => [whole[0], from]);
  const pauses = [...firstPrompt, ...gapsBetween(turns)];
  return {
    wholeMs: lengthOf([whole]),
    classes: timeByClass(main, atWork, pauses, whole),
    ...agentTimes(steps.agents, byAgent),
    ...toolTimes(byAgent.values()),
  };
}
