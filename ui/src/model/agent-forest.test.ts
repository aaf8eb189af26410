import { describe, expect, it } from "vitest";
import {
  agentNodes,
  agentRows,
  agentState,
  agentTimelines,
  lastJobFailed,
  shapeOf,
  timelineAxis,
} from "./agent-forest.js";
import { timeAxis } from "./time-axis.js";

const agent = (agentId: string, role: string, parentAgentId?: string) => ({
  agentId,
  displayName: agentId,
  role,
  status: "closed",
  createdAt: "2026-01-01T00:00:00.000Z",
  events: 1,
  ...(parentAgentId === undefined ? {} : { parentAgentId }),
});

describe("the orchestration graph", () => {
  it("hangs every agent under its parent, and under the main agent where there is none", () => {
    const nodes = agentNodes(
      [agent("a", "x"), agent("b", "y", "a"), agent("c", "y", "gone")],
      new Set(),
      "Main",
    );
    expect(nodes.map(({ id, parentId }) => [id, parentId])).toEqual([
      ["main", undefined],
      ["a", "main"],
      ["b", "a"],
      ["c", "main"],
    ]);
  });

  it("breaks a circle of parents", () => {
    const nodes = agentNodes([agent("a", "x", "b"), agent("b", "x", "a")], new Set(), "Main");
    expect(nodes.map(({ parentId }) => parentId)).toEqual([undefined, "main", "main"]);
  });

  it("folds many agents of a role, and unfolds them", () => {
    const many = Array.from({ length: 500 }, (_, i) => agent(`a${i}`, "explorer"));
    const [, group, ...others] = agentNodes([...many, agent("child", "z", "a7")], new Set(), "Main");
    expect(group).toMatchObject({ id: "role:main:explorer", parentId: "main" });
    expect(group!.agents).toHaveLength(500);
    expect(others).toMatchObject([{ id: "child", parentId: "role:main:explorer" }]);
    expect(agentNodes(many, new Set(["role:main:explorer"]), "Main")).toHaveLength(501);
  });

  it("names a failed job before the status", () => {
    const lastJob = { jobId: "j", outcome: "failed", completedAt: "2026-01-01T00:01:00.000Z" };
    expect(agentState({ ...agent("a", "x"), lastJob })).toBe("failed");
    expect(agentState(agent("a", "x"))).toBe("closed");
    expect(lastJobFailed({ ...agent("a", "x"), lastJob: { ...lastJob, outcome: "timed_out" } })).toBe(true);
    expect(lastJobFailed({ ...agent("a", "x"), lastJob: { ...lastJob, outcome: "cancelled" } })).toBe(false);
    expect(agentTimelines([{ ...agent("a", "x"), lastJob }], 0)[0]).toMatchObject({
      open: true,
      to: Date.UTC(2026, 0, 1, 0, 1),
    });
  });

  it("draws timelines on an axis of their own time", () => {
    const day = Date.UTC(2026, 0, 1);
    const hour = 3_600_000;
    const session = timeAxis(day, day + 10 * hour, [{ from: day + 2 * hour, to: day + 9 * hour }]).segments;
    const born = (createdAt: string, closedAt: string) => ({ ...agent(createdAt, "x"), createdAt, closedAt });
    const timelines = agentTimelines(
      [
        born("2026-01-01T01:00:00Z", "2026-01-01T01:30:00Z"),
        born("2026-01-01T01:10:00Z", "2026-01-01T01:50:00Z"),
      ],
      0,
    );
    expect(timelineAxis(timelines, session)).toEqual([
      { from: day + hour, to: day + (5 * hour) / 6 + hour, x0: 0, x1: 1, folded: false },
    ]);
    const odd = agentTimelines(
      [born("1970-01-01T00:00:00Z", "2026-01-01T09:30:00Z"), born("soon", "later")],
      0,
    );
    expect(timelineAxis(odd, session).map(({ from, folded }) => [(from - day) / hour, folded])).toEqual([
      [0, false],
      [2, true],
      [9, false],
    ]);
  });
});

describe("the table of agents", () => {
  const places = (rows: ReturnType<typeof agentRows>) =>
    rows.map(({ agent: { agentId }, depth }) => `${depth} ${agentId}`);

  it("has each agent below the one that spawned it", () => {
    const agents = [agent("a", "x"), agent("b", "x"), agent("c", "x", "a"), agent("d", "x", "c")];
    expect(places(agentRows(agents))).toEqual(["0 a", "1 c", "2 d", "0 b"]);
  });

  it("has every agent once, also in a circle, and one with the name of the main agent", () => {
    const agents = [agent("a", "x", "b"), agent("b", "x", "a"), agent("main", "x"), agent("a", "x", "b")];
    expect(places(agentRows(agents)).sort()).toEqual(["0 a", "0 b", "0 main"]);
  });

  it("is for few agents that lie flat; many or deep ones have a graph", () => {
    const few = Array.from({ length: 12 }, (_, i) => agent(`${i}`, "x"));
    expect(shapeOf(agentRows(few))).toBe("table");
    expect(shapeOf(agentRows([...few, agent("13", "x")]))).toBe("graph");
    const deep = [agent("a", "x"), agent("b", "x", "a"), agent("c", "x", "b"), agent("d", "x", "c")];
    expect(shapeOf(agentRows(deep.slice(0, 3)))).toBe("table");
    expect(shapeOf(agentRows(deep))).toBe("graph");
  });
});
