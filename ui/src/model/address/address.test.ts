import { describe, expect, it } from "vitest";
import type { LiveKind } from "../../../../src/domain/session/session.js";
import {
  changeQuery,
  compareAddress,
  firstTab,
  formatAddress,
  parseAddress,
  sessionAddress,
} from "./address.js";

describe("addresses", () => {
  it("shows the sessions where no view is named", () => {
    for (const hash of ["", "#", "#/"]) expect(parseAddress(hash)).toEqual({ view: "sessions", query: {} });
  });

  it("gives back the route that an address was made of, whatever the ids hold", () => {
    const route = {
      view: "session",
      tenantId: "-Users-me/x y?#%",
      sessionId: "ü&=1",
      tab: "context",
      query: { call: "3", q: "a&b=c #1" },
    } as const;
    expect(parseAddress(formatAddress(route))).toEqual(route);
  });

  it("names no tab where an address names none, and gives that address back", () => {
    const route = { view: "session", tenantId: "t", sessionId: "1", tab: undefined, query: {} } as const;
    expect(parseAddress("#/s/t/1")).toEqual(route);
    expect(formatAddress(route)).toBe("#/s/t/1");
    expect(sessionAddress(route)).toBe("#/s/t/1");
  });

  it("takes what an address without a tab asks for as asked of the trace", () => {
    expect(parseAddress("#/s/t/1?event=e1")).toMatchObject({ tab: "trace", query: { event: "e1" } });
  });

  it("opens an unfinished session, and one without an entry, on its trace, and any other on its summary", () => {
    const opened = (kind: LiveKind) => firstTab({ state: { kind }, status: "idle" });
    for (const kind of ["running", "waiting", "stalled", "looping"] as const)
      expect(opened(kind)).toBe("trace");
    expect(firstTab(undefined)).toBe("trace");
    for (const kind of ["idle", "done", "failed", "stopped"] as const) expect(opened(kind)).toBe("summary");
    expect(firstTab({ status: "waiting" })).toBe("trace");
  });

  it("names a session beside up to nine others", () => {
    const other = (i: number) => ({ tenantId: "t/2", sessionId: `s${i}` });
    const address = compareAddress({ tenantId: "t", sessionId: "s" }, other(1), other(2));
    expect(address).toBe("#/compare/t/s/t%2F2/s1/t%2F2/s2");
    expect(parseAddress(address)).toMatchObject({ view: "compare", others: [other(1), other(2)] });
    expect(parseAddress("#/compare/t/s")).toMatchObject({ view: "compare", others: [] });
    for (const rest of ["/t", "/t/s/t", "/t/%E0%A4%A", "/t/s".repeat(10)]) {
      expect(parseAddress(`#/compare/t/s${rest}`).view).toBe("unknown");
    }
    expect(parseAddress(`#/compare/t/s${"/t/s".repeat(9)}`).view).toBe("compare");
  });

  it("says so where an address means nothing", () => {
    for (const hash of ["#/x", "#/s/t", "#/s/t/1/nope", "#/s/t/%E0%A4%A", "#/s/t/1/trace/more"]) {
      expect(parseAddress(hash)).toEqual({ view: "unknown", address: hash });
    }
  });

  it("takes empty entries out of the query", () => {
    expect(changeQuery({ q: "x", sort: "turns" }, { q: "", sort: undefined, user: "u" })).toEqual({
      user: "u",
    });
    expect(sessionAddress({ tenantId: "t", sessionId: "s" }, "trace", { q: "" })).toBe("#/s/t/s/trace");
  });
});
