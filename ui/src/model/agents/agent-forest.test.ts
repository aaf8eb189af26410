import { describe, expect, it } from "vitest";
import { agentNodes, agentState, lastJobFailed } from "./agent-forest.js";

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
  });
});
