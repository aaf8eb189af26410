import { describe, expect, it } from "vitest";
import { changeQuery, formatAddress, parseAddress, sessionAddress } from "./address.js";

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

  it("opens a session without a tab on its trace", () => {
    expect(parseAddress("#/s/t/1")).toMatchObject({ view: "session", tab: "trace" });
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
