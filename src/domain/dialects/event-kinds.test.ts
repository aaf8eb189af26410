import { describe, expect, it } from "vitest";
import { classifyEvent, isBookkeepingType, registeredEventTypes } from "./event-kinds.js";

describe("classifyEvent", () => {
  it.each([
    ["session.start", "session", "start"],
    ["turn_start", "turn", "start"],
    ["turn.end", "turn", "end"],
    ["tool_execution_start", "tool", "start"],
    ["tool.before", "tool", "start"],
    ["tool.after", "tool", "end"],
    ["context_compaction_end", "compaction", "end"],
    ["waiting_for_user_input", "input", "point"],
    ["text", "text", "point"],
    ["thinking", "text", "point"],
    ["agent_spawned", "agent", "start"],
    ["agent_job_failed", "job", "end"],
    ["error", "error", "point"],
  ])("knows %s as %s %s", (type, kind, phase) => {
    expect(classifyEvent(type)).toEqual({ kind, phase });
  });

  it("takes any other type for unknown, whatever it is called", () => {
    for (const type of ["vendor.event", "", "constructor", "__proto__"]) {
      expect(classifyEvent(type)).toEqual({ kind: "unknown", phase: "point" });
    }
  });

  it("knows bookkeeping among the points that it knows, and nowhere else", () => {
    const noted = registeredEventTypes().filter(isBookkeepingType);
    expect(noted).toHaveLength(6);
    expect(noted.every((type) => classifyEvent(type).phase === "point")).toBe(true);
    expect(isBookkeepingType("constructor")).toBe(false);
  });

  it("has every spelling once", () => {
    expect(new Set(registeredEventTypes()).size).toBe(registeredEventTypes().length);
  });
});
