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

const outline = (sort: string, grouped = false) =>
  sessionLines(sessions, readSort({ sort }), grouped).map((line) =>
    line.type === "session" ? line.session.sessionId : `${line.tenantId} ${line.sessions} ${line.tokens}`,
  );

describe("the table of sessions", () => {
  it("keeps the service's order unless another is asked for", () => {
    expect(outline("")).toEqual(["3", "2", "1"]);
    expect(outline("nonsense")).toEqual(["3", "2", "1"]);
  });

  it("sorts by any column, either way", () => {
    expect(outline("-tokens")).toEqual(["2", "1", "3"]);
    expect(outline("tokens")).toEqual(["3", "1", "2"]);
    expect(outline("status")[0]).toBe("2");
    expect(outline("active")).toEqual(["1", "2", "3"]);
  });

  it("groups by tenant", () => expect(outline("", true)).toEqual(["b 2 12", "3", "1", "a 1 9", "2"]));

  it("calls a tenant by the folder of its sessions, and sorts by that and by source", () => {
    const named = [
      { ...session("1", "a:-z", 1), directory: "/home/ada/alpha", source: "Second" },
      { ...session("2", "a:-y", 1), directory: "/home/ada/beta", source: "First" },
    ];
    const order = (sort: string) =>
      sessionLines(named, readSort({ sort }), false).map(
        (line) => line.type === "session" && line.session.sessionId,
      );
    expect(order("tenant")).toEqual(["1", "2"]);
    expect(order("source")).toEqual(["2", "1"]);
    expect(sessionLines(named, readSort({}), true)[0]).toMatchObject({
      tenantId: "a:-z",
      name: { name: "alpha", whole: "/home/ada/alpha" },
      source: "Second",
    });
  });

  it("keeps its order in the address", () => {
    for (const sort of ["tokens", "-turns", "active"]) expect(writeSort(readSort({ sort }))).toBe(sort);
    expect(writeSort(readSort({}))).toBeUndefined();
  });
});
