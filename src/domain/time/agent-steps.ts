import { firstWhere } from "../lists/lists.js";
import type {
  Agent,
  Compaction,
  ErrorEvent,
  ModelCall,
  SessionSteps,
  ToolCall,
  Turn,
} from "../steps/session-steps.js";
import { type Interval, type Intervals, unionOf } from "./intervals.js";

/** The activity of one agent. */
export class AgentSteps {
  readonly turns: Turn[] = [];
  readonly calls: ModelCall[] = [];
  readonly tools: TimedTool[] = [];
  readonly compactions: Compaction[] = [];
  readonly errors: ErrorEvent[] = [];
  /** When something began that a person has to do. */
  readonly waits: number[] = [];
  #work: Intervals | undefined;

  /** When the agent worked: in a model or tool call, or during a compaction. Call it after all of its steps were added. */
  get work(): Intervals {
    this.#work ??= unionOf([
      ...intervalsOf(this.calls),
      ...intervalsOf(this.compactions),
      ...this.tools.map(({ ran }) => ran),
    ]);
    return this.#work;
  }

  /**
   * From the start of the agent to the end of its last step. Staying open afterwards, or being closed much later, is not work. An agent
   * without steps counts completely, unless nothing records its end.
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
  for (const turn of steps.turns) of(turn.agentId).turns.push(turn);
  for (const call of steps.calls) of(call.agentId).calls.push(call);
  for (const call of steps.tools) of(call.agentId).tools.push({ call, ran: runOfTool(call) });
  for (const compaction of steps.compactions) of(compaction.agentId).compactions.push(compaction);
  for (const error of steps.errors) of(error.agentId).errors.push(error);
  for (const wait of steps.waits) of(wait.agentId).waits.push(wait.at);
  return byAgent;
}

/** A tool without a recorded end has no duration: its process may have been killed, and the session may have continued much later. */
function runOfTool({ at, endAt, isEnded }: ToolCall): Interval {
  return [at, isEnded ? Math.max(at, endAt) : at];
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

/**
 * When the attempts of an agent to call a model failed, and when its calls were answered, or failed and were left at that.
 *
 * - A call that failed lasts until the next one, but not longer than its turn. One that is not tried again, and was no second try, is a
 *   call like any other: nobody retried.
 * - An attempt that is recorded as an error alone began where the step before it ended. Where the call that was answered at last begins
 *   before the error, it holds the attempts before it. One that is not tried again says nothing of a call.
 */
export function failedAttempts(own: AgentSteps): {
  readonly failed: readonly Interval[];
  /** Those of the failed that were tried again, or were another try. */
  readonly retried: readonly Interval[];
  readonly called: readonly Interval[];
} {
  const failed: Interval[] = [];
  const retried: Interval[] = [];
  const called: Interval[] = [];
  const calls = [...own.calls].sort((a, b) => a.at - b.at);
  const errors = [...own.errors].sort((a, b) => a.at - b.at);
  const boundaries = errors.length === 0 ? new Float64Array() : boundariesOf(own);
  const isRetried = retriedErrors(own, calls, errors);
  let boundary = 0;
  for (const [i, { at, waitMs }] of errors.entries()) {
    while (boundary < boundaries.length && boundaries[boundary]! <= at) boundary++;
    const [from = at, to = at] = [boundaries[boundary - 1], boundaries[boundary]];
    const attempt: Interval = [from, Math.max(at, Math.min(to, at + waitMs))];
    failed.push(attempt);
    if (isRetried(i)) retried.push(attempt);
  }
  for (const [i, call] of calls.entries()) {
    const error = errors[firstWhere(0, errors.length, (at) => errors[at]!.at >= call.endAt) - 1];
    const isOfCall = error !== undefined && error.at >= call.at;
    const from = isOfCall ? Math.min(call.endAt, error.at + error.waitMs) : call.at;
    const [before, next] = [calls[i - 1], calls[i + 1]];
    const isRetry = before?.error !== undefined && before.turnId === call.turnId;
    const isTriedAgain = next !== undefined && next.turnId === call.turnId;
    const attempts: Interval =
      call.error === undefined
        ? [call.at, from]
        : [call.at, isTriedAgain ? Math.max(next.at, call.endAt) : call.endAt];
    failed.push(attempts);
    if (call.error === undefined || isRetry || isTriedAgain || isOfCall) retried.push(attempts);
    else called.push(attempts);
    if (call.error === undefined) called.push([from, call.endAt]);
  }
  return { failed, retried, called };
}

/** Says which of the errors, in the order of time, was tried again or was itself another try: in its turn there is another attempt. */
function retriedErrors(
  { turns }: AgentSteps,
  calls: readonly ModelCall[],
  errors: readonly ErrorEvent[],
): (i: number) => boolean {
  const starts = Float64Array.from(turns, ({ at }) => at).sort();
  const turnAt = (instant: number) => firstWhere(0, starts.length, (i) => starts[i]! > instant);
  /** When the last one of the calls up to one ended. */
  const ends: number[] = [];
  for (const { endAt } of calls) ends.push(Math.max(endAt, ends.at(-1) ?? endAt));
  return (i) => {
    const { at, waitMs } = errors[i]!;
    const turn = turnAt(at);
    const isOfTurn = (other: { readonly at: number } | undefined) =>
      other !== undefined && turnAt(other.at) === turn;
    const next = firstWhere(0, calls.length, (call) => calls[call]!.at >= at);
    const isInCall = next > 0 && at < ends[next - 1]!;
    return (
      waitMs > 0 || isInCall || isOfTurn(errors[i - 1]) || isOfTurn(errors[i + 1]) || isOfTurn(calls[next])
    );
  };
}
