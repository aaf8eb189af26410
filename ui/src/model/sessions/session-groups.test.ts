import { describe, expect, it } from "vitest";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { nextGrouping, readGrouping, SESSION_GROUPINGS, writeGrouping } from "./session-groups.js";
import { readSort, sessionLines } from "./session-table.js";

const session = (sessionId: string, lastActive: string, fields: Partial<InspectorSessionItem> = {}) => ({
  sessionId,
  tenantId: "t",
  userId: "",
  lastActive,
  turns: 1,
  tokens: 2,
  status: "idle" as const,
  ...fields,
});

const NOW = Date.UTC(2030, 0, 1);

function outline(
  of: readonly InspectorSessionItem[],
  group: string,
  sort = "",
  zone: "utc" | "local" = "utc",
) {
  return sessionLines(of, readSort({ sort }), readGrouping({ group }), zone, NOW).map((line) =>
    line.type === "session" ? line.session.sessionId : `${line.key} ${line.sessions} ${line.tokens}`,
  );
}

describe("groups of sessions", () => {
  const shop = { directory: "/home/ada/shop" };
  const sessions = [
    session("4", "2026-01-03T01:00:00.000Z", { ...shop, source: "A" }),
    session("3", "2026-01-02T23:00:00.000Z", { tenantId: "u" }),
    session("2", "2026-01-02T22:00:00.000Z", { ...shop, tenantId: "v", source: "B" }),
    session("1", "2026-01-01T00:00:00.000Z"),
  ];

  it("have one for sessions whose day is unknown, after the oldest day", () => {
    const unknown = ["1970-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"].map((at, i) =>
      session(`${5 + i}`, at),
    );
    expect(outline([...sessions, ...unknown], "day").slice(-5)).toEqual([
      "2026-01-01 1 2",
      "1",
      " 2 4",
      "5",
      "6",
    ]);
  });

  it("are none unless they are asked for", () => {
    expect(outline(sessions, "")).toEqual(["4", "3", "2", "1"]);
    expect(outline(sessions, "nonsense")).toEqual(["4", "3", "2", "1"]);
  });

  it("hold the sessions of a folder, of whatever tenant, and of a tenant where there is no folder", () => {
    const lines = ["/home/ada/shop 2 4", "4", "2", "u 1 2", "3", "t 1 2", "1"];
    expect(outline(sessions, "project")).toEqual(lines);
  });

  it("are called as their tenants, and name a source that all share", () => {
    const headings = (of: readonly InspectorSessionItem[]) =>
      sessionLines(of, readSort({}), "project", "utc", NOW).filter(({ type }) => type === "group");
    expect(headings(sessions)[0]).toMatchObject({ project: { name: "shop", full: "/home/ada/shop" } });
    expect(headings(sessions)[0]).not.toHaveProperty("source");
    expect(headings(sessions.slice(0, 1))[0]).toMatchObject({ source: "A" });
  });

  it("hold the sessions of a day, newest day first in every order but the oldest first", () => {
    const newest = ["2026-01-03 1 2", "4", "2026-01-02 2 4", "3", "2", "2026-01-01 1 2", "1"];
    expect(outline(sessions, "day")).toEqual(newest);
    expect(outline(sessions, "day", "title")).toEqual(newest.with(3, "2").with(4, "3"));
    expect(outline(sessions, "day", "active")[0]).toBe("2026-01-01 1 2");
    expect(outline([session("x", "")], "day")).toEqual([" 1 2", "x"]);
  });

  it("are of the days of a time zone", () => {
    const at = new Date(2026, 0, 15, 0, 30);
    const days = (zone: "utc" | "local") => outline([session("s", at.toISOString())], "day", "", zone)[0];
    expect(days("local")).toBe("2026-01-15 1 2");
    expect(days("utc")).toBe(`${at.toISOString().slice(0, 10)} 1 2`);
  });

  it("are kept in the address, and follow one another", () => {
    for (const grouping of SESSION_GROUPINGS) {
      expect(readGrouping({ group: writeGrouping(grouping) })).toBe(grouping);
    }
    expect(["none", "project", "day"].map((grouping) => nextGrouping(grouping as "none"))).toEqual([
      "project",
      "day",
      "none",
    ]);
  });
});
