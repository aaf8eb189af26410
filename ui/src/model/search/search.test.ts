import { describe, expect, it } from "vitest";
import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import { parseAddress, type Route } from "../address/address.js";
import { hitAddress, matchPattern, resultsAddress, searchQuery, searchRequest, withOther } from "./search.js";

type ValidRoute = Exclude<Route, { view: "unknown" }>;
const at = (hash: string) => parseAddress(hash) as ValidRoute;
const HIT: SearchHit = {
  tenantId: "t",
  sessionId: "s",
  in: "output",
  sequence: 12,
  matches: 1,
  snippet: { text: "x", start: 0, end: 1 },
};

describe("the search that an address names", () => {
  it("is of all sessions in the list, and of one in a session, wherever that was opened from", () => {
    const kinds = ["text", "error"];
    expect(searchRequest(at("#/?q=a+b&filter=tenant:t&in=error,text,nothing"))).toEqual({
      ...{ q: "a b", kinds, tenantId: "", sessionId: "", filter: "tenant:t" },
    });
    expect(searchRequest(at("#/s/x/1/agents?q=a+b&filter=tenant:t&across=1&in=text,error"))).toEqual({
      ...{ q: "a b", kinds, tenantId: "x", sessionId: "1" },
    });
    expect(searchRequest(at("#/s/x/1/agents?q=a"))).toEqual({
      q: "a",
      kinds: [],
      tenantId: "x",
      sessionId: "1",
    });
    expect(searchRequest(at("#/?filter=tenant:t"))).toBeUndefined();
  });

  it("is that of the session that a hit lies in, which leads back to the results", () => {
    const opened = at(hitAddress(HIT, at("#/?q=a&filter=user:u&in=text&sort=turns")));
    expect(searchRequest(opened)).toEqual({ q: "a", kinds: ["text"], tenantId: "t", sessionId: "s" });
    expect(resultsAddress(opened)).toBe("#/?q=a&in=text&filter=user%3Au");
    expect(resultsAddress(at("#/s/t/s/trace?q=a"))).toBe("#/");
    expect(searchQuery({ sort: "turns" })).toEqual({});
  });

  it("takes in other records once", () => {
    expect(withOther([])).toBe("text,thinking,input,output,error,other");
    expect(withOther(["error"])).toBe("error,other");
    expect(withOther(["error", "other"])).toBeUndefined();
  });
});

describe("a hit opens", () => {
  it("on its event, or on the message where there is no event", () => {
    expect(hitAddress(HIT, at("#/?q=a"))).toBe("#/s/t/s/trace?q=a&across=1&hit=12.output");
    const { sequence, ...hit } = { ...HIT, messageIndex: 3 };
    expect(hitAddress(hit, at("#/?q=a"))).toBe("#/s/t/s/messages?q=a&across=1&hit=m3.output&at=3");
  });

  it("on the message for a reader of messages", () => {
    const hit = { ...HIT, messageIndex: 3 };
    expect(hitAddress(hit, at("#/s/t/s/messages?q=a"))).toBe("#/s/t/s/messages?q=a&hit=12.output&at=3");
    expect(hitAddress(hit, at("#/s/t/s/trace?q=a"))).toBe("#/s/t/s/trace?q=a&hit=12.output");
  });

  it("with the filters of its own trace, and without those of another", () => {
    const query = "?q=a&across=1&kind=tool&event=e1&hit=1.text";
    expect(hitAddress(HIT, at(`#/s/t/s/trace${query}`))).toBe(
      "#/s/t/s/trace?q=a&across=1&kind=tool&hit=12.output",
    );
    expect(hitAddress(HIT, at(`#/s/t/other/trace${query}`))).toBe("#/s/t/s/trace?q=a&across=1&hit=12.output");
  });
});

describe("matches on the screen", () => {
  const isMatch = (q: string, text: string) =>
    [...text.matchAll(matchPattern(q)!)].map(({ 0: match }) => match);

  it("ignore case, unless the query has a capital or quotes", () => {
    expect(isMatch("a.b", "A.B a.b axb")).toEqual(["A.B", "a.b"]);
    expect(isMatch("A.b", "A.b a.b")).toEqual(["A.b"]);
    expect(isMatch('"a"', "A a")).toEqual(["a"]);
    expect(isMatch("ſ", "s S ſ")).toEqual(["ſ"]); // with the flag `u` all three would match
  });

  it("are exact for any sign, and none are tried for a pattern", () => {
    const signs = "^$.*+?()[]{}|\\/-#&~😀 ";
    expect(isMatch(signs, `x${signs}x`)).toEqual([signs]);
    expect(matchPattern("re:(a+)+$")).toBeUndefined();
  });
});
