import { describe, expect, it } from "vitest";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { sumCosts } from "./session-costs.js";
import { fillsColumn, readSort, sessionDuration, sessionLines, writeSort } from "./session-table.js";

const session = (
  sessionId: string,
  tenantId: string,
  tokens: number,
  fields: Partial<InspectorSessionItem> = {},
): InspectorSessionItem => ({
  sessionId,
  tenantId,
  userId: "",
  lastActive: `2026-01-0${sessionId}T00:00:00.000Z`,
  turns: 1,
  tokens,
  status: "idle",
  ...fields,
});
const sessions = [session("3", "b", 5), session("2", "a", 9, { status: "error" }), session("1", "b", 7)];

const NOW = Date.UTC(2026, 0, 20);

const order = (sort: string, of: readonly InspectorSessionItem[] = sessions) =>
  sessionLines(of, readSort({ sort }), "none", "utc", NOW).map(
    (line) => line.type === "session" && line.session.sessionId,
  );

describe("the table of sessions", () => {
  it("keeps the service's order unless another is asked for", () => {
    expect(order("")).toEqual(["3", "2", "1"]);
    expect(order("nonsense")).toEqual(["3", "2", "1"]);
  });

  it("is not led by a session whose clock is ahead: it has the place of its beginning, if that is over", () => {
    const ahead = { lastActive: "2046-01-01T00:00:00.000Z" };
    const began = session("4", "a", 1, { ...ahead, createdAt: "2026-01-02T12:00:00.000Z" });
    const unknown = session("5", "a", 1, { ...ahead, createdAt: "2045-01-01T00:00:00.000Z" });
    const all = [began, unknown, ...sessions];
    expect(order("", all)).toEqual(["3", "4", "2", "1", "5"]);
    expect(order("active", all)).toEqual(["1", "2", "4", "3", "5"]);
    // Clocks of two machines are never the same.
    const skewed = session("6", "a", 1, { lastActive: new Date(NOW + 30_000).toISOString() });
    expect(order("", [skewed, ...sessions])).toEqual(["6", "3", "2", "1"]);
  });

  it.each(["1970-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"])(
    "sorts a session whose activity is unknown (%s) last either way, and gives it no duration",
    (lastActive) => {
      const all = [...sessions, session("4", "a", 1, { lastActive, createdAt: lastActive })];
      expect([order("", all), order("active", all)]).toEqual([
        ["3", "2", "1", "4"],
        ["1", "2", "3", "4"],
      ]);
      expect(fillsColumn(all[3]!, "active")).toBe(false);
      expect(sessionDuration(all[3]!)).toBeUndefined();
      expect(sessionDuration({ ...all[0]!, createdAt: lastActive })).toBeUndefined();
    },
  );

  it("sorts by any column, either way", () => {
    expect(order("-tokens")).toEqual(["2", "1", "3"]);
    expect(order("tokens")).toEqual(["3", "1", "2"]);
    expect(order("status")[0]).toBe("2");
    expect(order("active")).toEqual(["1", "2", "3"]);
  });

  it("sorts by tenants and sources as they are called", () => {
    const named = [
      session("1", "a:-z", 1, { directory: "/home/ada/alpha", source: "Second" }),
      session("2", "a:-y", 1, { directory: "/home/ada/beta", source: "First" }),
    ];
    expect(order("tenant", named)).toEqual(["1", "2"]);
    expect(order("source", named)).toEqual(["2", "1"]);
  });

  it("sorts titles as they are shown", () => {
    const titled = [
      session("1", "t", 1, { title: "Zip the files" }),
      session("2", "t", 1, { title: "Implement the following plan: # Answer" }),
    ];
    expect(order("title", titled)).toEqual(["2", "1"]);
  });

  it("puts what has nothing in a column last, either way", () => {
    const some = [
      session("1", "t", 1),
      session("2", "t", 1, { errors: 1, model: "b", createdAt: "2026-01-01T00:00:00.000Z" }),
      session("3", "t", 1, { errors: 4, model: "a", createdAt: "2026-01-02T22:00:00.000Z" }),
    ];
    expect(order("-errors", some)).toEqual(["3", "2", "1"]);
    expect(order("errors", some)).toEqual(["2", "3", "1"]);
    expect(order("model", some)).toEqual(["3", "2", "1"]);
    expect(order("-model", some)).toEqual(["2", "3", "1"]);
    expect(order("duration", some)).toEqual(["3", "2", "1"]);
    expect(order("-user", [session("1", "t", 1), session("2", "t", 1, { userId: "ada" })])).toEqual([
      "2",
      "1",
    ]);
  });

  it("sorts by what sessions cost, those without a price last", () => {
    const cost = (usd: number, unpricedCalls = 0) => ({
      usd,
      recordedUsd: 0,
      unpricedCalls,
      unpricedTokens: 0,
    });
    const some = [
      session("1", "t", 1, { cost: cost(0, 3) }),
      session("2", "t", 1, { cost: cost(2) }),
      session("3", "t", 1, { cost: cost(5, 1) }),
      session("4", "t", 1),
    ];
    expect(order("-cost", some)).toEqual(["3", "2", "4", "1"]);
    expect(order("cost", some)).toEqual(["2", "3", "4", "1"]);
    expect(some.map((one) => fillsColumn(one, "cost"))).toEqual([false, true, true, false]);
    expect(sumCosts(some)).toMatchObject({ usd: 7, unpricedCalls: 4, sessions: 3, incomplete: 2 });
    expect(sumCosts(sessions)).toBeUndefined();
    const undercounted = session("5", "t", 1, { cost: { ...cost(1), placeholderCalls: 2 } });
    expect(sumCosts([undercounted, ...some])).toMatchObject({ incomplete: 3, placeholderCalls: 2 });
  });

  it("keeps its order in the address", () => {
    for (const sort of ["tokens", "-turns", "active", "-errors", "model"]) {
      expect(writeSort(readSort({ sort }))).toBe(sort);
    }
    expect(writeSort(readSort({}))).toBeUndefined();
  });

  it("knows how long a session lasted, where it says when it began", () => {
    const lasted = (createdAt?: string) =>
      sessionDuration(session("1", "t", 1, createdAt ? { createdAt } : {}));
    expect(lasted("2025-12-31T23:00:00.000Z")).toBe(3_600_000);
    expect(lasted("2026-02-01T00:00:00.000Z")).toBeUndefined();
    expect(lasted("yesterday")).toBeUndefined();
    expect(lasted()).toBeUndefined();
  });

  it("has tokens that nobody counted last, and a column for them where there were turns", () => {
    const uncounted = { ...session("3", "t", 7), tokens: 0, turns: 1 };
    expect(fillsColumn(uncounted, "tokens")).toBe(true);
    expect(fillsColumn({ ...uncounted, turns: 0 }, "tokens")).toBe(false);
    const some = [uncounted, session("2", "t", 1)];
    expect([order("tokens", some), order("-tokens", some)]).toEqual([
      ["2", "3"],
      ["2", "3"],
    ]);
  });

  it("has a column for what a session fills", () => {
    const plain = session("1", "t", 0, { turns: 0 });
    const filled = session("1", "t", 5, {
      status: "running",
      errors: 1,
      model: "m",
      userId: "ada",
      source: "S",
    });
    const columns = ["status", "source", "user", "model", "errors", "tokens"] as const;
    expect(columns.filter((column) => fillsColumn(plain, column))).toEqual([]);
    expect(columns.filter((column) => fillsColumn(filled, column))).toEqual(columns);
  });
});
