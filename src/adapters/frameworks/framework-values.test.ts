import { describe, expect, it } from "vitest";
import { CUT_OFF } from "../../domain/json/json.js";
import { jsonOf, tokensOf } from "./framework-values.js";
import { plainOf } from "./langchain-messages.js";

describe("tokens that a framework tells", () => {
  const tokens = (inputTokens: unknown, cacheReadTokens: unknown, cacheWriteTokens: unknown) =>
    tokensOf({ inputTokens, outputTokens: 3, cacheReadTokens, cacheWriteTokens });

  it("count what a cache served and took beside the input that it is a part of", () => {
    expect(tokens(100, 60, 10)).toEqual({
      inputTokens: 30,
      outputTokens: 3,
      cacheReadTokens: 60,
      cacheWriteTokens: 10,
    });
  });

  it("count all of an input that is less than what a cache served", () => {
    expect(tokens(5, 60, undefined)).toMatchObject({ inputTokens: 5, cacheReadTokens: 60 });
  });
});

describe("a value of the agent's", () => {
  it("is a copy that JSON can hold", () => {
    const value = { bytes: Uint8Array.of(1, 2), error: new TypeError("no"), big: 2n ** 60n, at: new Date(0) };
    expect(jsonOf({ ...value, list: new Set([1, () => 1]), map: new Map([["a", 1]]) })).toEqual({
      bytes: "AQI=",
      error: { name: "TypeError", message: "no" },
      big: String(2n ** 60n),
      at: "1970-01-01T00:00:00.000Z",
      list: [1, null],
      map: [["a", 1]],
    });
  });

  it("is cut off where it is nested too deep", () => {
    let deep: unknown = "inmost";
    for (let i = 0; i < 10_000; i++) deep = i % 2 === 0 ? [deep] : new Map([["a", deep]]);
    expect(JSON.stringify(jsonOf(deep))).toContain(CUT_OFF);
    expect(JSON.stringify(plainOf({ messages: [[deep]] }))).toContain(CUT_OFF);
  });

  it("holds itself once", () => {
    const value: { name: string; self?: unknown } = { name: "a" };
    value.self = value;
    expect(jsonOf(value)).toEqual({ name: "a", self: undefined });
  });
});
