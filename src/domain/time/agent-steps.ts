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

export class AgentSteps {
  readonly turns: Turn[] = [];
  readonly calls: ModelCall[] = [];
  readonly tools: TimedTool[] = [];
  readonly compactions: Compaction[] = [];
  readonly errors: ErrorEvent[] = [];
  readonly waits: number[] = [];
  #work: Intervals | undefined;

  /** Time in model calls, tool calls and compactions. Requires that all steps were added. */
  get work(): Intervals {
    this.#work ??= unionOf([
      ...intervalsOf(this.calls),
      ...intervalsOf(this.compactions),
      ...this.tools.map(({ ran }) => ran),
    ]);
    return this.#work;
  }

  /**
   * From the start of the agent to the end of its last step: an agent that stays open afterwards does not work. An agent without steps
   * counts completely, unless nothing records its end.
   */
  runOf(agent: Agent): Interval {
    const [first, last] = [this.work[0], this.work.at(-1)];
    const [from, to] = [Math.round(agent.at), Math.round(agent.endAt)];
    return [Math.min(from, first?.[0] ?? from), Math.max(from, last?.[1] ?? (agent.isEnded ? to : from))];
  }
}

export interface TimedTool {
  readonly call: ToolCall;
  readonly ran: Interval;
}

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

/** A tool without a recorded end has no duration: its process may have been killed long before the session continued. */
function runOfTool({ at, endAt, isEnded }: ToolCall): Interval {
  return [at, isEnded ? Math.max(at, endAt) : at];
}

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
 * Times of failed attempts and of calls.
 * - A failed call lasts until the next one, but not longer than its turn. Without a retry it is a call like any other.
 * - An attempt recorded only as an error began at the end of the step before it, unless the answered call began before the error and so
 *   contains it. Without a retry it says nothing of a call.
 */
export function failedAttempts(own: AgentSteps): {
  readonly failed: readonly Interval[];
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

function retriedErrors(
  { turns }: AgentSteps,
  calls: readonly ModelCall[],
  errors: readonly ErrorEvent[],
): (i: number) => boolean {
  const starts = Float64Array.from(turns, ({ at }) => at).sort();
  const turnAt = (instant: number) => firstWhere(0, starts.length, (i) => starts[i]! > instant);
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
