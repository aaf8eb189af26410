import { describe, expect, it } from "vitest";
import { headerFacts } from "./header-facts.js";

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
const cost = { usd: 1.5, recordedUsd: 0, unpricedCalls: 0, unpricedTokens: 0 };
const item = {
  tenantId: "t",
  sessionId: "s",
  userId: "",
  createdAt: "2026-01-15T08:00:00.000Z",
  lastActive: "2026-01-15T08:10:00.000Z",
  turns: 2,
  tokens: 9_000,
  usage: { ...usage, inputTokens: 8_980 },
  status: "idle" as const,
  errors: 4,
  cost,
  model: "b",
  models: ["a", "b"],
};
/** Half of it has been read. */
const half = {
  item: undefined,
  loading: true,
  events: 50,
  totals: { errors: 1 },
  cost: { ...cost, usd: 0.5 },
  usage,
  from: 0,
  to: 60_000,
  activeMs: 30_000,
  models: ["a"],
};

describe("the figures of a session's header", () => {
  it("are the list's while the trace is being read, and final at once", () => {
    const facts = headerFacts({ ...half, item });
    expect(facts.errors).toEqual({ value: 4, isSoFar: false });
    expect(facts.cost?.value.usd).toBe(1.5);
    expect(facts.tokens).toEqual({ value: 9_000, isSoFar: false });
    expect(facts.durationMs).toEqual({ value: 600_000, isSoFar: false });
    expect(facts.models).toEqual(["b", "a"]);
  });

  it("have no duration where only the start is before 1971", () => {
    const to = Date.UTC(2026, 0, 15);
    for (const from of [0, Date.parse("0001-01-01T00:00:00.000Z")]) {
      const facts = headerFacts({ ...half, loading: false, from, to });
      expect([facts.durationMs, facts.activeMs]).toEqual([undefined, undefined]);
    }
  });

  it("are marked as so far where the list does not say them", () => {
    const { errors, tokens, durationMs } = headerFacts(half);
    expect([errors, tokens, durationMs]).toEqual([
      { value: 1, isSoFar: true },
      { value: 120, isSoFar: true },
      { value: 60_000, isSoFar: true },
    ]);
    expect(headerFacts({ ...half, loading: false }).errors).toEqual({ value: 1, isSoFar: false });
  });

  it("have no active time before all is read, and nothing where nothing is known", () => {
    expect(headerFacts({ ...half, item }).activeMs).toBeUndefined();
    expect(headerFacts({ ...half, loading: false }).activeMs).toBe(30_000);
    const nothing = headerFacts({
      ...half,
      events: 0,
      cost: undefined,
      usage: { ...usage, inputTokens: 0, outputTokens: 0 },
    });
    expect([nothing.errors, nothing.cost, nothing.tokens]).toEqual([undefined, undefined, undefined]);
  });

  it("do not say 0 where nobody counted", () => {
    const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(headerFacts({ ...half, usage: none }).tokens).toBeUndefined();
    expect(headerFacts({ ...half, usage: none, loading: false }).tokens).toBe("uncounted");
    expect(headerFacts({ ...half, usage: none, cost: { ...cost, usd: 0 } }).cost).toBeUndefined();
  });
});
