import { describe, expect, it } from "vitest";
import { readSort, sessionLines, writeSort } from "./session-table.js";

const session = (sessionId: string, tenantId: string, tokens: number, status: "idle" | "error" = "idle") => ({
  sessionId,
  tenantId,
  userId: "",
  lastActive: `2026-01-0${sessionId}T00:00:00.000Z`,
  turns: 1,
  tokens,
  status,
});
const sessions = [session("3", "b", 5), session("2", "a", 9, "error"), session("1", "b", 7)];

const told = (sort: string, grouped = false) =>
  sessionLines(sessions, readSort({ sort }), grouped).map((line) =>
    line.type === "session" ? line.session.sessionId : `${line.tenantId} ${line.sessions} ${line.tokens}`,
  );

describe("the table of sessions", () => {
  it("stands in the service's order unless another is asked for", () => {
    expect(told("")).toEqual(["3", "2", "1"]);
    expect(told("nonsense")).toEqual(["3", "2", "1"]);
  });

  it("sorts by any column, either way", () => {
    expect(told("-tokens")).toEqual(["2", "1", "3"]);
    expect(told("tokens")).toEqual(["3", "1", "2"]);
    expect(told("status")[0]).toBe("2");
    expect(told("active")).toEqual(["1", "2", "3"]);
  });

  it("groups by tenant", () => expect(told("", true)).toEqual(["b 2 12", "3", "1", "a 1 9", "2"]));

  it("keeps its order in the address", () => {
    for (const sort of ["tokens", "-turns", "active"]) expect(writeSort(readSort({ sort }))).toBe(sort);
    expect(writeSort(readSort({}))).toBeUndefined();
  });
});
