import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agent,
  compaction,
  errorEvent,
  modelCall,
  randomSteps,
  stepsOf,
  toolCall,
  turnOf,
} from "../../../test/support/random-steps.js";
import { runs, sized } from "../../../test/support/soak.js";
import type { SessionSteps } from "../steps/session-steps.js";
import { timeOf } from "./time-account.js";
import type { TimeByClass } from "./time-by-class.js";

const NOTHING: TimeByClass = { model: 0, tools: 0, subAgents: 0, person: 0, retrying: 0, unknown: 0 };

function expectClasses(steps: Partial<SessionSteps>, classes: Partial<TimeByClass>): void {
  expect(timeOf(stepsOf(steps)).classes).toEqual({ ...NOTHING, ...classes });
}

describe("the time of a session", () => {
  it("is nothing where nothing is recorded", () => {
    expect(timeOf(stepsOf({ to: 0 }))).toEqual({
      wholeMs: 0,
      classes: NOTHING,
      agents: [],
      agentGroups: [],
      slowestTools: [],
      tools: [],
      toolNames: 0,
    });
  });

  it("is its model calls, its tools, and the rest", () => {
    const turns = [turnOf(0, 100)];
    expectClasses(
      { turns, calls: [modelCall(0, 30), modelCall(70, 90)], tools: [toolCall(35, 70)] },
      { model: 50, tools: 35, unknown: 15 },
    );
  });

  it("counts what runs at the same time once: the model before a tool, a tool before an agent", () => {
    const tools = [toolCall(20, 50), toolCall(30, 60), toolCall(40, 80, { spawned: ["a"] })];
    expectClasses({ calls: [modelCall(0, 25)], tools }, { model: 25, tools: 35, subAgents: 20, unknown: 20 });
  });

  it("is a model's while it compacts", () => {
    expectClasses({ compactions: [compaction(10, 40)] }, { model: 30, unknown: 70 });
  });

  it("is that of agents in the background where the main agent does nothing", () => {
    const calls = [modelCall(0, 10), modelCall(10, 60, { agentId: "a" })];
    const agents = [agent("a", 5, 100), agent("silent", 70, 80), agent("open", 0, 100, { isEnded: false })];
    expectClasses({ calls, agents }, { model: 10, subAgents: 60, unknown: 30 });
  });

  it("is a person's before the first turn and between two, but for agents that go on", () => {
    const calls = [modelCall(20, 40, { agentId: "a" })];
    const turns = [turnOf(10, 30), turnOf(80, 90)];
    expectClasses({ turns, calls }, { subAgents: 20, person: 50, unknown: 30 });
  });

  it("is a person's while they are asked, and until they refuse", () => {
    const tools = [toolCall(0, 30, { asksPerson: true }), toolCall(40, 60, { isRefused: true })];
    expectClasses({ tools }, { person: 50, unknown: 50 });
  });

  it("is a person's from a wait to whatever comes next, though a tool is open", () => {
    const waits = [{ stepId: "w", agentId: "", at: 20 }];
    expectClasses({ waits, tools: [toolCall(10, 60)] }, { tools: 10, person: 40, unknown: 50 });
    expectClasses({ waits }, { person: 80, unknown: 20 });
  });

  it("is lost on a call that failed, up to the next one of its turn", () => {
    const turnId = "t";
    const calls = [modelCall(0, 10, { turnId, error: "overloaded" }), modelCall(40, 60, { turnId })];
    expectClasses({ calls }, { model: 20, retrying: 40, unknown: 40 });
    const later = [modelCall(0, 10, { turnId, error: "overloaded" }), modelCall(40, 60, { turnId: "other" })];
    expectClasses({ calls: later }, { model: 30, unknown: 70 });
  });

  it("is a model's where a call failed that nobody tried again", () => {
    expectClasses({ to: 30, calls: [modelCall(0, 30, { error: "overloaded" })] }, { model: 30 });
    const calls = [modelCall(0, 10), modelCall(20, 50, { error: "overloaded" })];
    expectClasses({ calls }, { model: 40, unknown: 60 });
  });

  it("is lost on the last try, too, where that failed as those before it did", () => {
    const calls = [modelCall(0, 10, { error: "overloaded" }), modelCall(40, 60, { error: "overloaded" })];
    expectClasses({ calls }, { retrying: 60, unknown: 40 });
  });

  it("is nobody's before an error that nothing was tried after", () => {
    const turns = [turnOf(0, 40), turnOf(60, 100)];
    expectClasses(
      { turns, errors: [errorEvent(30)], calls: [modelCall(70, 80)] },
      { person: 20, model: 10, unknown: 70 },
    );
    expectClasses(
      { turns, errors: [errorEvent(30)], calls: [modelCall(35, 40)] },
      { person: 20, retrying: 30, model: 5, unknown: 45 },
    );
  });

  it("is lost on attempts that are recorded as errors alone", () => {
    const errors = [errorEvent(10), errorEvent(30, { waitMs: 5 })];
    expectClasses({ errors, calls: [modelCall(0, 60)] }, { model: 25, retrying: 35, unknown: 40 });
    expectClasses({ errors, turns: [turnOf(4, 90)] }, { person: 4, retrying: 31, unknown: 65 });
  });

  it("is no tool's whose end is not recorded", () => {
    const turns = [turnOf(0, 20, { stepId: "t" }), turnOf(90, 100)];
    const tools = [toolCall(10, 100, { turnId: "t", isEnded: false })];
    expectClasses({ turns, tools }, { person: 70, unknown: 30 });
  });

  it("adds up to the whole, and each instant is of the class that the rules give it", () => {
    fc.assert(
      fc.property(randomSteps, (steps) => {
        const { wholeMs, classes } = timeOf(steps);
        expect(sumOf(classes)).toBe(wholeMs);
        expect(classes).toEqual(countedInstants(steps));
      }),
      { numRuns: runs(1_000), seed: 1 },
    );
  });

  const MANY = sized(5_000, 25_000);

  it("is worked out of many steps at once", () => {
    const numbers = Array.from({ length: MANY }, (_, i) => i * 40);
    const ids = ["", "a", "b"];
    const account = timeOf(
      stepsOf({
        to: MANY * 40,
        turns: numbers.map((at, i) => turnOf(at, at + 38, { stepId: `t${i}` })),
        calls: numbers.map((at, i) => modelCall(at, at + 10, { agentId: ids[i % 3]! })),
        tools: numbers.map((at, i) => toolCall(at + 10, at + 200, { agentId: ids[i % 3]! })),
        agents: numbers.map((at, i) => agent(`agent ${i}`, at, at + 100)),
      }),
    );
    expect(sumOf(account.classes)).toBe(MANY * 40);
    expect(account.agents).toHaveLength(MANY);
    expect(account.agentGroups).toHaveLength(1);
  });
});

describe("the time of sub-agents", () => {
  it("is their own, from their start to the end of their last step", () => {
    const own = { agentId: "a" };
    const { agents } = timeOf(
      stepsOf({
        agents: [agent("a", 10, 100), agent("inner", 40, 60, { parentAgentId: "a" })],
        calls: [modelCall(20, 30, own), modelCall(70, 90, own)],
        tools: [toolCall(30, 40, own), toolCall(40, 65, { ...own, spawned: ["inner"] })],
      }),
    );
    expect(agents[0]).toEqual({
      agentId: "a",
      stepId: "agent:a",
      name: "a",
      parentAgentId: "",
      wholeMs: 80,
      modelMs: 30,
      toolsMs: 10,
      subAgentsMs: 25,
      personMs: 0,
      retryingMs: 0,
      idleMs: 15,
      overlapMs: 0,
    });
  });

  it("overlaps that of others of the same parent, and the last one of them is waited for", () => {
    const { agents, agentGroups } = timeOf(
      stepsOf({
        agents: [
          agent("a", 0, 40),
          agent("b", 10, 90),
          agent("c", 20, 50),
          agent("alone", 90, 95),
          agent("inner", 0, 100, { parentAgentId: "a" }),
        ],
      }),
    );
    expect(agents.map(({ overlapMs }) => overlapMs)).toEqual([30, 40, 30, 0, 0]);
    expect(agentGroups).toEqual([
      {
        parentAgentId: "",
        agentIds: ["a", "b", "c"],
        wholeMs: 90,
        overlapMs: 40,
        lastAgentId: "b",
        aloneMs: 40,
      },
    ]);
  });

  it("adds up for each agent, and overlaps as much as counting its instants gives", () => {
    fc.assert(
      fc.property(randomSteps, (steps) => {
        const { agents } = timeOf(steps);
        expect(new Set(agents.map(({ agentId }) => agentId)).size).toBe(agents.length);
        for (const { wholeMs, overlapMs, agentId, stepId, name, parentAgentId, ...parts } of agents) {
          expect(sumOf(parts)).toBe(wholeMs);
          expect(overlapMs).toBeLessThanOrEqual(wholeMs);
        }
        const silent = timeOf({ ...steps, calls: [], tools: [], compactions: [] });
        for (const { agentId, overlapMs } of silent.agents) expect(overlapMs).toBe(overlapOf(steps, agentId));
      }),
      { numRuns: runs(500), seed: 2 },
    );
  });
});

describe("the time of tools", () => {
  it("has calls side by side once, and all of them summed up", () => {
    const tools = [toolCall(0, 30), toolCall(10, 40), toolCall(0, 5, { name: "Read" })];
    expect(timeOf(stepsOf({ tools })).tools).toEqual([
      { name: "Bash", calls: 2, wallMs: 40, sumMs: 60, slowestMs: 30, slowestStepId: "0-30" },
      { name: "Read", calls: 1, wallMs: 5, sumMs: 5, slowestMs: 5, slowestStepId: "0-5" },
    ]);
  });

  it("names the 20 slowest calls, without what people took", () => {
    const tools = Array.from({ length: 30 }, (_, i) => toolCall(0, i));
    const slow = timeOf(stepsOf({ tools: [...tools, toolCall(0, 99, { asksPerson: true })] }));
    expect(slow.slowestTools.map(({ ms }) => ms)).toEqual(Array.from({ length: 20 }, (_, i) => 29 - i));
    expect(slow.tools).toHaveLength(1);
  });

  it("is told of 50 tools, and of how many there are", () => {
    const tools = Array.from({ length: 60 }, (_, i) => toolCall(0, i, { name: `tool ${i}` }));
    const time = timeOf(stepsOf({ tools }));
    expect(time.tools).toHaveLength(50);
    expect(time.toolNames).toBe(60);
  });
});

function sumOf(parts: object): number {
  return Object.values(parts).reduce((sum: number, ms: number) => sum + ms, 0);
}

/** Looks at each millisecond by itself. */
function countedInstants(steps: SessionSteps): TimeByClass {
  const counts: Record<keyof TimeByClass, number> = { ...NOTHING };
  for (let t = steps.from; t < steps.to; t++) counts[classAt(steps, t)]++;
  return counts;
}

function classAt(steps: SessionSteps, t: number): keyof TimeByClass {
  const isIn = ([from, to]: readonly [number, number]) => from <= t && t < to;
  const isDuring = ({ at, endAt }: { at: number; endAt: number }) => isIn([at, endAt]);
  const own = <Step extends { agentId: string }>(list: readonly Step[]) =>
    list.filter(({ agentId }) => agentId === "");
  const foreign = <Step extends { agentId: string }>(list: readonly Step[]) =>
    list.filter(({ agentId }) => agentId !== "");
  const ran = (tool: SessionSteps["tools"][number]): readonly [number, number] => {
    return [tool.at, tool.isEnded ? Math.max(tool.at, tool.endAt) : tool.at];
  };
  const calls = own(steps.calls).sort((a, b) => a.at - b.at);
  const errors = own(steps.errors);
  const answeredFrom = ({ at, endAt }: { at: number; endAt: number }) =>
    errors
      .filter((error) => at <= error.at && error.at < endAt)
      .sort((a, b) => a.at - b.at)
      .reduce((_, error) => Math.min(endAt, error.at + error.waitMs), at);
  const isOfOneTurn = (a: SessionSteps["calls"][number], b = a) => b !== a && a.turnId === b.turnId;
  const isRetrying = (call: SessionSteps["calls"][number], i: number) => {
    if (call.error === undefined) return false;
    const isTriedAgain = isOfOneTurn(call, calls[i + 1]);
    const isRetry = isOfOneTurn(call, calls[i - 1]) && calls[i - 1]!.error !== undefined;
    return isTriedAgain || isRetry || errors.some(({ at }) => call.at <= at && at < call.endAt);
  };
  const called = calls.filter((call, i) => !isRetrying(call, i));
  if (called.some((call) => isIn([answeredFrom(call), call.endAt]))) return "model";
  if (own(steps.compactions).some(isDuring)) return "model";
  const boundaries = [
    ...[...own(steps.turns), ...calls, ...own(steps.compactions)].flatMap(({ at, endAt }) => [at, endAt]),
    ...own(steps.tools).flatMap(ran),
  ].sort((a, b) => a - b);
  const nextBoundary = (at: number) => boundaries.find((boundary) => boundary > at);
  if (own(steps.waits).some(({ at }) => isIn([at, nextBoundary(at) ?? steps.to]))) return "person";
  const tools = own(steps.tools).filter((tool) => isIn(ran(tool)));
  const isPersons = ({ asksPerson, isRefused }: SessionSteps["tools"][number]) => asksPerson || isRefused;
  if (tools.some((tool) => !isPersons(tool) && tool.spawned.length === 0)) return "tools";
  const theirs = [...foreign(steps.calls), ...foreign(steps.compactions)];
  const theirTools = foreign(steps.tools);
  const isSilent = (id: string) =>
    ![...theirs.map(({ at, endAt, agentId }) => [at, endAt, agentId] as const)]
      .concat(theirTools.map((tool) => [...ran(tool), tool.agentId] as const))
      .some(([at, endAt, agentId]) => agentId === id && at < endAt);
  if (tools.some((tool) => !isPersons(tool))) return "subAgents";
  if (theirs.some(isDuring) || theirTools.some((tool) => isIn(ran(tool)))) return "subAgents";
  if (steps.agents.some((one) => one.isEnded && isSilent(one.agentId) && isDuring(one))) return "subAgents";
  if (tools.some(isPersons)) return "person";
  const turns = own(steps.turns).filter(({ at, endAt }) => at < endAt);
  const isBetween = !turns.some(isDuring) && turns.some(({ at }) => at > t);
  if (isBetween) return "person";
  const failed = calls.some((call, i) => {
    if (!isRetrying(call, i)) return isIn([call.at, answeredFrom(call)]);
    const next = calls[i + 1];
    const isSame = next !== undefined && next.turnId === call.turnId;
    return isIn([call.at, isSame ? Math.max(next.at, call.endAt) : call.endAt]);
  });
  const turnAt = (at: number) => own(steps.turns).filter((turn) => turn.at <= at).length;
  const attempted = errors.some((error) => {
    const { at, waitMs } = error;
    const others = [...errors.filter((other) => other !== error), ...calls.filter((call) => call.at >= at)];
    const isTriedAgain = others.some((other) => turnAt(other.at) === turnAt(at));
    const isInCall = calls.some((call) => call.at <= at && at < call.endAt);
    if (waitMs === 0 && !isTriedAgain && !isInCall) return false;
    const from = boundaries.findLast((boundary) => boundary <= at) ?? at;
    return isIn([from, Math.min(nextBoundary(at) ?? at, at + waitMs)]) || isIn([from, at]);
  });
  return failed || attempted ? "retrying" : "unknown";
}

function overlapOf({ agents, to }: SessionSteps, agentId: string): number {
  const first = agents.filter((one, i) => agents.findIndex((other) => other.agentId === one.agentId) === i);
  const own = first.find((one) => one.agentId === agentId)!;
  const isAt = (t: number) => (one: typeof own) => one.isEnded && one.at <= t && t < one.endAt;
  let ms = 0;
  for (let t = 0; t < to; t++) {
    const others = first.filter((one) => one !== own && one.parentAgentId === own.parentAgentId);
    if (isAt(t)(own) && others.some(isAt(t))) ms++;
  }
  return ms;
}
