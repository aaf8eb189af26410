import fc from "fast-check";
import type {
  Agent,
  Compaction,
  ErrorEvent,
  ModelCall,
  SessionSteps,
  ToolCall,
  Turn,
} from "../../src/domain/steps/session-steps.js";

export function stepsOf(steps: Partial<SessionSteps>): SessionSteps {
  const none = { turns: [], calls: [], tools: [], agents: [], compactions: [], waits: [], errors: [] };
  return { from: 0, to: 100, ...none, ...steps };
}

const step = (at: number, endAt: number) => ({
  stepId: `${at}-${endAt}`,
  agentId: "",
  at,
  endAt,
  error: undefined,
});

export function turnOf(at: number, endAt: number, given: Partial<Turn> = {}): Turn {
  return { ...step(at, endAt), isPrompt: true, prompt: "", ...given };
}

export function modelCall(at: number, endAt: number, given: Partial<ModelCall> = {}): ModelCall {
  return {
    ...step(at, endAt),
    endId: undefined,
    turnId: undefined,
    model: "m",
    provider: undefined,
    usage: undefined,
    recordedUsd: undefined,
    messageId: undefined,
    inputHash: undefined,
    answerSize: 0,
    ...given,
  };
}

export function toolCall(at: number, endAt: number, given: Partial<ToolCall> = {}): ToolCall {
  return {
    ...step(at, endAt),
    turnId: undefined,
    modelCallId: undefined,
    toolCallId: "",
    name: "Bash",
    subject: "",
    paths: [],
    inputHash: undefined,
    outputHash: undefined,
    outputSize: 0,
    isRefused: false,
    asksPerson: false,
    spawned: [],
    isEnded: true,
    ...given,
  };
}

export function agent(agentId: string, at: number, endAt: number, given: Partial<Agent> = {}): Agent {
  return {
    ...step(at, endAt),
    stepId: `agent:${agentId}`,
    agentId,
    name: agentId,
    parentAgentId: "",
    isEnded: true,
    ...given,
  };
}

export function compaction(at: number, endAt: number, given: Partial<Compaction> = {}): Compaction {
  return { ...step(at, endAt), tokensBefore: undefined, tokensAfter: undefined, ...given };
}

export function errorEvent(at: number, given: Partial<ErrorEvent> = {}): ErrorEvent {
  return { stepId: `error ${at}`, agentId: "", at, message: "overloaded", waitMs: 0, ...given };
}

const AGENTS = ["", "a", "b", "c"];
const LENGTH = 60;
const instant = fc.integer({ min: 0, max: LENGTH });
const agentId = fc.constantFrom(...AGENTS);
const interval = fc
  .tuple(instant, instant)
  .map(([a, b]): readonly [number, number] => [Math.min(a, b), Math.max(a, b)]);
const turnId = fc.option(fc.constantFrom("turn 0", "turn 1", "turn 2"), { nil: undefined });
const error = fc.option(fc.constant("failed"), { nil: undefined });

/** At most 60 ms, with arbitrary overlaps. */
export const randomSteps: fc.Arbitrary<SessionSteps> = fc
  .record({
    turns: fc.array(fc.tuple(interval, agentId), { maxLength: 3 }),
    calls: fc.array(fc.record({ ran: interval, agentId, turnId, error }), { maxLength: 6 }),
    tools: fc.array(
      fc.record({
        ran: interval,
        agentId,
        turnId,
        error,
        name: fc.constantFrom("Bash", "Read", "Task"),
        paths: fc.subarray(["a.ts", "b.ts"]),
        inputHash: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        outputHash: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
        outputSize: fc.nat(100),
        asksPerson: fc.boolean(),
        isRefused: fc.boolean(),
        isEnded: fc.boolean(),
        spawned: fc.subarray(AGENTS.slice(1)),
      }),
      { maxLength: 8 },
    ),
    agents: fc.array(fc.record({ ran: interval, agentId, parentAgentId: agentId, isEnded: fc.boolean() }), {
      maxLength: 4,
    }),
    compactions: fc.array(fc.tuple(interval, agentId), { maxLength: 2 }),
    waits: fc.array(fc.tuple(instant, agentId), { maxLength: 2 }),
    errors: fc.array(fc.tuple(instant, agentId, fc.nat(9)), { maxLength: 3 }),
  })
  .map(({ turns, calls, tools, agents, compactions, waits, errors }) => ({
    from: 0,
    to: LENGTH,
    turns: turns.map(([[at, endAt], agentId], i) => turnOf(at, endAt, { stepId: `turn ${i}`, agentId })),
    calls: calls.map(({ ran, ...rest }, i) => modelCall(...ran, { ...rest, stepId: `call ${i}` })),
    tools: tools.map(({ ran, ...rest }, i) => toolCall(...ran, { ...rest, stepId: `tool ${i}` })),
    agents: agents
      .filter(({ agentId }) => agentId !== "")
      .map(({ ran: [at, endAt], agentId, ...rest }) => agent(agentId, at, endAt, rest)),
    compactions: compactions.map(([[at, endAt], agentId]) => compaction(at, endAt, { agentId })),
    waits: waits.map(([at, agentId], i) => ({ stepId: `wait ${i}`, agentId, at })),
    errors: errors.map(([at, agentId, waitMs]) => errorEvent(at, { agentId, waitMs })),
  }));
