import { describe, expect, it } from "vitest";
import { runToEnd } from "../lists/run-to-end.js";
import type { ModelCall } from "../steps/session-steps.js";
import { SessionAnalysis } from "../summary/session-analysis.js";
import type { SessionSummary } from "../summary/session-summary.js";
import { summariseSession } from "../summary/summarise-session.js";
import { type CacheMiss, cacheMisses } from "./cache-misses.js";

const MINUTE = 60_000;
const RATES = { input: 3e-6, output: 15e-6, cacheRead: 0.3e-6, cacheWrite: 3.75e-6, cacheWrite1h: 6e-6 };

interface Counted {
  readonly at: number;
  readonly input?: number;
  readonly read?: number;
  readonly write?: number;
  readonly hour?: number;
  readonly model?: string;
  readonly agentId?: string;
}

function callsOf(counted: readonly Counted[]): readonly ModelCall[] {
  return counted.map(({ at, input = 0, read = 0, write = 0, hour = 0, model = "m", agentId = "" }, i) => ({
    stepId: `c${i}`,
    agentId,
    at,
    endAt: at + 1_000,
    error: undefined,
    turnId: undefined,
    model,
    provider: undefined,
    usage: {
      inputTokens: input,
      outputTokens: 10,
      cacheReadTokens: read,
      cacheWriteTokens: write,
      cacheWrite1hTokens: hour,
    },
    recordedUsd: undefined,
    messageId: undefined,
    inputHash: undefined,
    endId: undefined,
    answerSize: 0,
  }));
}

function missesOf(counted: readonly Counted[]): readonly CacheMiss[] {
  return cacheMisses(
    { calls: callsOf(counted), compactions: [] },
    () => undefined,
    () => RATES,
  );
}

describe("a cache miss", () => {
  it("is none where a context grows and its beginning is served", () => {
    const misses = missesOf([
      { at: 0, write: 20_000 },
      { at: MINUTE, read: 20_000, write: 3_000 },
      { at: 2 * MINUTE, read: 23_000, write: 500 },
    ]);
    expect(misses).toEqual([]);
  });

  it("is told by a pause that is longer than the cache keeps, and costs what was written more than read", () => {
    const [miss, ...others] = missesOf([
      { at: 0, write: 20_000 },
      { at: 7 * MINUTE, write: 21_000 },
    ]);
    expect(others).toEqual([]);
    expect(miss).toMatchObject({ stepId: "c1", tokens: 20_000, cause: "idle" });
    expect(miss!.usd).toBeCloseTo(20_000 * (RATES.cacheWrite - RATES.cacheRead), 9);
    expect(miss!.evidence).toMatchObject({
      beforeStepId: "c0",
      idleMs: 7 * MINUTE - 1_000,
      lifetimeMs: 5 * MINUTE,
      isLifetimeRecorded: false,
      heldTokens: 20_000,
      servedTokens: 0,
    });
  });

  it("is unknown after the same pause where an hour was paid for", () => {
    const [miss] = missesOf([
      { at: 0, write: 20_000, hour: 20_000 },
      { at: 7 * MINUTE, write: 21_000, hour: 21_000 },
    ]);
    expect(miss).toMatchObject({
      cause: "unknown",
      evidence: { lifetimeMs: 60 * MINUTE, isLifetimeRecorded: true },
    });
    expect(miss!.usd).toBeCloseTo(20_000 * (RATES.cacheWrite1h - RATES.cacheRead), 9);
  });

  it("is told by another model, also where there was a pause", () => {
    const [miss] = missesOf([
      { at: 0, write: 20_000, model: "large" },
      { at: 7 * MINUTE, write: 21_000, model: "small" },
    ]);
    expect(miss).toMatchObject({ cause: "model", evidence: { models: ["large", "small"] } });
  });

  it("is what a vendor without counted writes served less than it was asked before", () => {
    const misses = missesOf([
      { at: 0, input: 20_000 },
      { at: MINUTE, input: 1_100, read: 19_900 },
      { at: 2 * MINUTE, input: 20_500, read: 1_500 },
    ]);
    expect(misses).toMatchObject([{ stepId: "c2", tokens: 19_500, cause: "unknown" }]);
    expect(misses[0]!.usd).toBeCloseTo(19_500 * (RATES.input - RATES.cacheRead), 9);
  });

  it("is of the agent whose call before it filled the cache", () => {
    const misses = missesOf([
      { at: 0, write: 20_000 },
      { at: 1_000, write: 9_000, agentId: "helper" },
      { at: 2_000, read: 20_000, write: 10 },
    ]);
    expect(misses).toEqual([]);
  });

  it("is no more than what the call read at all", () => {
    const [miss] = missesOf([
      { at: 0, write: 50_000 },
      { at: MINUTE, write: 8_000 },
    ]);
    expect(miss!.tokens).toBe(8_000);
  });

  it("is none where no cache is counted", () => {
    expect(
      missesOf([
        { at: 0, input: 20_000 },
        { at: MINUTE, input: 21_000 },
      ]),
    ).toEqual([]);
  });
});

describe("a cache miss of a recorded session", () => {
  it("is told by a compaction between the two calls", () => {
    const { cacheMisses } = summaryOf([
      call("a", { read: 0, write: 40_000 }),
      { type: "compaction.start" },
      { type: "compaction.end", tokensBefore: 40_000, tokensAfter: 5_000 },
      call("b", { read: 0, write: 6_000 }),
    ]);
    expect(cacheMisses.byCause).toMatchObject([{ cause: "compacted", count: 1, tokens: 6_000 }]);
    expect(cacheMisses.calls[0]!.evidence.compactionStepId).toBe("e2");
  });

  it("is told by tools that are other ones", () => {
    const messages = [{ role: "user", content: "Hello" }];
    const { cacheMisses } = summaryOf([
      call("a", { read: 0, write: 40_000 }, { messages, tools: [{ name: "read" }] }),
      call("b", { read: 0, write: 41_000 }, { messages, tools: [{ name: "read" }, { name: "write" }] }),
    ]);
    expect(cacheMisses.byCause).toMatchObject([{ cause: "tools", tokens: 40_000 }]);
  });

  it("is told by a message that says something else than before", () => {
    const prompt = { role: "user", content: "Read the file" };
    const answered = { role: "assistant", content: "I did" };
    const tools = [{ name: "read" }];
    const { cacheMisses } = summaryOf([
      call(
        "a",
        { read: 0, write: 40_000 },
        { tools, messages: [prompt, { role: "user", content: "It is long" }] },
      ),
      call(
        "b",
        { read: 9_000, write: 41_000 },
        { tools, messages: [prompt, { role: "user", content: "[removed]" }, answered] },
      ),
    ]);
    expect(cacheMisses.calls).toMatchObject([
      {
        cause: "rewritten",
        tokens: 31_000,
        evidence: { rewrittenAt: 1, areMessagesRecorded: true, areToolsRecorded: true },
      },
    ]);
  });
});

type Event = { readonly type: string; readonly [member: string]: unknown };

function call(
  callId: string,
  { read, write }: { readonly read: number; readonly write: number },
  options: object = {},
): readonly Event[] {
  const usage = { inputTokens: 0, outputTokens: 10, cacheReadTokens: read, cacheWriteTokens: write };
  return [
    { type: "llm.start", callId, model: "m", ...options },
    { type: "llm.end", callId, model: "m", usage },
  ];
}

function summaryOf(events: readonly (Event | readonly Event[])[]): SessionSummary {
  const analysis = new SessionAnalysis();
  for (const [i, event] of events.flat().entries()) {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + 1_000 * i).toISOString();
    analysis.addEnvelope({ id: `e${i}`, sequence: i, timestamp, source: "runtime", traceId: "t", event }, 0);
  }
  const steps = runToEnd(analysis.steps());
  const rates = { rates: [RATES], rateOf: new Int32Array(steps.calls.length) };
  return runToEnd(summariseSession(analysis, { tenantId: "default", sessionId: "s" }, rates));
}
