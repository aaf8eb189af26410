import { describe, expect, it } from "vitest";
import { type AgentRun, type AgentWait, awaitedAgents, deciderOf, waitedMs } from "./agent-waits.js";
import { criticalPath } from "./critical-path.js";

const run = (id: string, from: number, to: number, parentId?: string): AgentRun => ({
  id,
  parentId,
  from,
  to,
});
const wait = (waiterId: string, awaitedIds: string[], from: number, to: number, resolvedBy?: string) =>
  ({ waiterId, awaitedIds, from, to, resolvedBy }) satisfies AgentWait;

/** As `agent from-to`. */
const path = (runs: readonly AgentRun[], waits: readonly AgentWait[]) =>
  criticalPath(runs, waits).map(({ agentId, from, to }) => `${agentId} ${from}-${to}`);

describe("The critical path", () => {
  it("is the run of an agent that waited for nobody", () => {
    expect(path([run("main", 0, 10)], [])).toEqual(["main 0-10"]);
    expect(path([], [])).toEqual([]);
  });

  it("goes through the one that ended last of those that were waited for, and to the moment it was spawned", () => {
    const runs = [run("main", 0, 100), run("a", 10, 40, "main"), run("b", 12, 80, "main")];
    expect(path(runs, [wait("main", ["a", "b"], 13, 81)])).toEqual(["main 0-12", "b 12-80", "main 80-100"]);
  });

  it("goes through waits in agents that were waited for", () => {
    const runs = [run("main", 0, 100), run("lead", 5, 90, "main"), run("tester", 20, 70, "lead")];
    const waits = [wait("lead", ["tester"], 21, 71), wait("main", ["lead"], 6, 91)];
    expect(path(runs, waits)).toEqual(["main 0-5", "lead 5-20", "tester 20-70", "lead 70-90", "main 90-100"]);
  });

  it("goes through one wait after the other of the same agent", () => {
    const runs = [run("main", 0, 50), run("a", 5, 15, "main"), run("b", 25, 40, "main")];
    const waits = [wait("main", ["a"], 5, 15), wait("main", ["b"], 25, 40)];
    expect(path(runs, waits)).toEqual(["main 0-5", "a 5-15", "main 15-25", "b 25-40", "main 40-50"]);
  });

  it("has of waits side by side the last one to end alone", () => {
    const runs = [run("main", 0, 50), run("a", 4, 30, "main"), run("b", 6, 40, "main")];
    const waits = [wait("main", ["a"], 4, 30), wait("main", ["b"], 6, 40)];
    expect(path(runs, waits)).toEqual(["main 0-6", "b 6-40", "main 40-50"]);
  });

  it("ends a wait where it ended, though who was waited for went on", () => {
    const runs = [run("main", 0, 50), run("a", 5, 45, "main")];
    expect(path(runs, [wait("main", ["a"], 6, 20)])).toEqual(["main 0-5", "a 5-20", "main 20-50"]);
  });

  it("begins with the agent that ended last, also where nobody waited for it", () => {
    const runs = [run("main", 0, 20), run("watcher", 10, 60, "main")];
    expect(path(runs, [])).toEqual(["main 0-10", "watcher 10-60"]);
  });

  it("knows agents and waits that never ended: they go on to the last instant", () => {
    const runs = [run("main", 0, 90), run("a", 10, 90, "main"), run("b", 30, 90, "a")];
    const waits = [wait("main", ["a"], 11, 90), wait("a", ["b"], 31, 90)];
    expect(path(runs, waits)).toEqual(["main 0-10", "a 10-30", "b 30-90"]);
  });

  it("ends where agents wait for each other, or spawned each other", () => {
    const runs = [run("a", 0, 10, "b"), run("b", 0, 10, "a")];
    const waits = [wait("a", ["b"], 2, 10), wait("b", ["a"], 3, 10), wait("a", ["a"], 1, 9)];
    expect(path(runs, waits)).toEqual(["a 0-10"]);
  });

  it("skips waits for agents that nobody knows, or that began later", () => {
    const runs = [run("main", 0, 50), run("late", 40, 45, "main")];
    const waits = [wait("main", ["nobody"], 5, 10), wait("main", ["late"], 20, 30)];
    expect(path(runs, waits)).toEqual(["main 0-50"]);
  });

  it("visits each wait once, so that thousands take no longer than that", () => {
    const many = 5000;
    const runs = [run("main", 0, 2 * many)];
    const waits: AgentWait[] = [];
    for (let i = 0; i < many; i++) {
      runs.push(run(`a${i}`, 2 * i, 2 * i + 1, "main"));
      waits.push(wait("main", [`a${i}`], 2 * i, 2 * i + 1));
    }
    expect(criticalPath(runs, waits)).toHaveLength(2 * many);
  });
});

describe("Who was waited for", () => {
  const runs = new Map(
    [run("main", 0, 100), run("a", 0, 30), run("b", 0, 60), run("c", 0, 50)].map((one) => [one.id, one]),
  );

  it("is the one whose end resolved a wait, where that is recorded, else the last one to end", () => {
    expect(deciderOf(wait("main", ["a", "b"], 0, 61), runs)?.id).toBe("b");
    expect(deciderOf(wait("main", ["a", "b"], 0, 31, "a"), runs)?.id).toBe("a");
    expect(deciderOf(wait("main", ["nobody"], 0, 31), runs)).toBeUndefined();
  });

  it("has the time of all that waited for it, and that of a wait which is told twice once", () => {
    const waits = [
      wait("main", ["a", "b"], 10, 60),
      wait("main", ["b"], 10, 61),
      wait("c", ["b"], 40, 50),
      wait("main", ["a"], 5, 8),
      wait("b", ["b"], 0, 9),
    ];
    expect(awaitedAgents(waits, runs)).toEqual([
      { agentId: "b", waiterIds: ["main", "c"], ms: 61 },
      { agentId: "a", waiterIds: ["main"], ms: 3 },
    ]);
    expect(waitedMs(waits.filter(({ waiterId }) => waiterId === "main"))).toBe(54);
  });
});
