import { type Interval, type Intervals, unionOf } from "./intervals.js";
import type {
  Agent,
  Compaction,
  ErrorEvent,
  ModelCall,
  SessionSteps,
  ToolCall,
  Turn,
} from "./session-steps.js";

/** What one agent did. */
export class AgentSteps {
  readonly turns: Turn[] = [];
  readonly calls: ModelCall[] = [];
  readonly tools: TimedTool[] = [];
  readonly compactions: Compaction[] = [];
  readonly errors: ErrorEvent[] = [];
  /** When something began that a person has to do. */
  readonly waits: number[] = [];
  #work: Intervals | undefined;

  /** When it was at work: in a call of a model or a tool, or making its context smaller. All of its steps are to be known. */
  get work(): Intervals {
    this.#work ??= unionOf([
      ...intervalsOf(this.calls),
      ...intervalsOf(this.compactions),
      ...this.tools.map(({ ran }) => ran),
    ]);
    return this.#work;
  }

  /**
   * From the start of the agent to the end of its last step: that it is left open, or closed much later, is no work. Of an agent
   * without steps it is all of its time, unless nothing says that it ended.
   */
  runOf(agent: Agent): Interval {
    const [first, last] = [this.work[0], this.work.at(-1)];
    const [from, to] = [Math.round(agent.at), Math.round(agent.endAt)];
    return [Math.min(from, first?.[0] ?? from), Math.max(from, last?.[1] ?? (agent.isEnded ? to : from))];
  }
}

/** A call of a tool, and when it ran. */
export interface TimedTool {
  readonly call: ToolCall;
  readonly ran: Interval;
}

/** The steps of a session by their agents: of the main agent, and of those that have any. */
export function stepsByAgent(steps: SessionSteps): ReadonlyMap<string, AgentSteps> {
  const byAgent = new Map<string, AgentSteps>([["", new AgentSteps()]]);
  const of = (agentId: string): AgentSteps => {
    const own = byAgent.get(agentId) ?? new AgentSteps();
    byAgent.set(agentId, own);
    return own;
  };
  const turnEnds = new Map(steps.turns.map(({ stepId, endAt }) => [stepId, endAt]));
  for (const turn of steps.turns) of(turn.agentId).turns.push(turn);
  for (const call of steps.calls) of(call.agentId).calls.push(call);
  for (const call of steps.tools) of(call.agentId).tools.push({ call, ran: runOfTool(call, turnEnds) });
  for (const compaction of steps.compactions) of(compaction.agentId).compactions.push(compaction);
  for (const error of steps.errors) of(error.agentId).errors.push(error);
  for (const wait of steps.waits) of(wait.agentId).waits.push(wait.at);
  return byAgent;
}

/** A tool whose end is not recorded ran no longer than its turn: its process may have been killed, and the session gone on much later. */
function runOfTool(call: ToolCall, turnEnds: ReadonlyMap<string, number>): Interval {
  const turnEnd = call.isEnded ? undefined : turnEnds.get(call.turnId ?? "");
  return [call.at, Math.max(call.at, Math.min(call.endAt, turnEnd ?? call.endAt))];
}

/** The instants at which steps of an agent begin or end, in their order. */
export function boundariesOf({ turns, calls, tools, compactions }: AgentSteps): Float64Array {
  const instants: number[] = [];
  for (const steps of [turns, calls, compactions])
    for (const { at, endAt } of steps) instants.push(at, endAt);
  for (const { ran } of tools) instants.push(...ran);
  return Float64Array.from(instants).sort();
}

export function intervalsOf(
  steps: readonly { readonly at: number; readonly endAt: number }[],
): readonly Interval[] {
  return steps.map(({ at, endAt }) => [at, endAt]);
}
