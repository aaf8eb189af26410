import { describe, expect, it } from "vitest";
import {
  chipParts,
  filterSoFar,
  filterTerms,
  finish,
  openFilter,
  readFilter,
  typeDraft,
} from "./filter-text.js";

const isRight = (text: string) => !("problem" in readFilter(text, 0, "UTC"));
const typed = (draft: string, ...terms: string[]) => typeDraft({ terms, draft: "" }, draft, isRight);

describe("the terms of a filter", () => {
  it("are told apart where all have to hold, and are one where some may", () => {
    expect(filterTerms('tenant:acme -(a OR b) title:"x y" NOT error AND c')).toEqual([
      "tenant:acme",
      "-(a OR b)",
      'title:"x y"',
      "NOT error",
      "c",
    ]);
    expect(filterTerms("a b OR c ")).toEqual(["a b OR c"]);
  });

  it("show their field apart from their value", () => {
    expect(chipParts('-tenant:"a b"')).toEqual({ field: "-tenant:", value: "a b" });
    expect(chipParts('"router.ex"')).toEqual({ field: "", value: "router.ex" });
  });
});

describe("a filter that is typed", () => {
  it("becomes terms by a space, unless it is not finished, or wrong", () => {
    expect(typed("cost:>1 ", "a")).toEqual({ terms: ["a", "cost:>1"], draft: "" });
    for (const draft of ['title:"x ', "(a ", "a OR ", "- ", "cots:>1 ", "tenant: "]) {
      expect(typed(draft, "a")).toEqual({ terms: ["a"], draft });
    }
    expect(finish({ terms: ["a"], draft: "b OR c" }, isRight)).toEqual({ terms: ["a b OR c"], draft: "" });
    expect(openFilter("a cots:1", isRight)).toEqual({ terms: [], draft: "a cots:1" });
  });

  it("counts as far as it is one, without the half of a value that has to be the same", () => {
    expect(filterSoFar(typed("rout", "error"), isRight)).toBe("error rout");
    expect(filterSoFar(typed("title:rout", "error"), isRight)).toBe("error title:rout");
    expect(filterSoFar(typed("tenant:ac", "error"), isRight)).toBe("error");
    expect(filterSoFar(typed("tena", "error"), isRight)).toBe("error");
    expect(filterSoFar(typed("error"), isRight)).toBe("error");
    expect(filterSoFar(typed("cost:>", "error"), isRight)).toBe("error");
  });
});
