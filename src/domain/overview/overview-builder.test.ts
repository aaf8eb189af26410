import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FactsBuilder } from "../facts/facts-builder.js";
import { matchSession } from "../filter/match-session.js";
import { parseFilter } from "../filter/parse-filter.js";
import type { ListedSession } from "../session/model-usage.js";
import { TimeZone } from "../trace/time-zone.js";
import type { Grouping, UsageTotals } from "./overview.js";
import { OverviewBuilder } from "./overview-builder.js";
import { overviewNeedsFrom } from "./overview-scope.js";

const NOW = Date.parse("2026-11-26T10:00:00Z");
const HOUR = 3_600_000;
const RATES = { input: 3e-6, output: 15e-6, cacheRead: 3e-7, cacheWrite: 3.75e-6, cacheWrite1h: 6e-6 };

const call = fc.record({
  hoursAgo: fc.double({ min: 0, max: 24 * 70, noNaN: true }),
  model: fc.constantFrom("opus", "sonnet", "unknown"),
  role: fc.constantFrom("", "reviewer"),
  tokens: fc.nat(100_000),
});
const tool = fc.record({
  hoursAgo: fc.double({ min: 0, max: 24 * 70, noNaN: true }),
  name: fc.constantFrom("search", "edit", "bash"),
  outcome: fc.constantFrom("completed", "failed", "refused"),
});
const session = fc
  .record({
    tenantId: fc.constantFrom("acme", "zeta"),
    userId: fc.constantFrom("", "ada"),
    directory: fc.option(fc.constantFrom("/srv/shop", "/srv/site"), { nil: undefined }),
    source: fc.constantFrom("Codex", "Pi"),
    calls: fc.array(call, { maxLength: 8 }),
    tools: fc.array(tool, { maxLength: 8 }),
    isKnown: fc.boolean(),
  })
  .map(({ calls, tools, isKnown: hasNames, directory, ...names }): ListedSession => {
    const facts = new FactsBuilder();
    for (const { hoursAgo, model, role, tokens } of calls) {
      const at = NOW - hoursAgo * HOUR;
      const usage = { inputTokens: tokens, outputTokens: 7, cacheReadTokens: 11, cacheWriteTokens: 13 };
      facts.addCall({ at, model, role, usage, contextTokens: tokens + 24 });
      facts.addActivity(at, role);
    }
    for (const { hoursAgo, name, outcome } of tools) {
      const at = NOW - hoursAgo * HOUR;
      facts.addTool({ at, name, outcome, durationMs: 100, resultTokens: 5 });
      if (outcome === "failed") facts.addFailure(at, "timed out", name);
    }
    const newest = NOW - Math.min(...[...calls, ...tools].map(({ hoursAgo }) => hoursAgo), 24 * 70) * HOUR;
    return {
      ...names,
      ...(directory === undefined ? {} : { directory }),
      sessionId: "s",
      lastActive: new Date(newest).toISOString(),
      turns: 1,
      tokens: calls.reduce((sum, { tokens }) => sum + tokens + 31, 0),
      status: "idle",
      errors: tools.filter(({ outcome }) => outcome === "failed").length,
      ...(hasNames ? { facts: facts.build() } : {}),
    };
  });
const sessions = fc
  .array(session, { maxLength: 12 })
  .map((all) => all.map((one, i) => ({ ...one, sessionId: `s-${i}` })));

function overviewOf(
  all: readonly ListedSession[],
  by: Grouping,
  days: number | undefined,
  zone = "Europe/Berlin",
) {
  const from = days === undefined ? undefined : NOW - days * 24 * HOUR;
  const scope = { from, to: NOW, now: NOW, zone: TimeZone.named(zone)!, by, stack: "model" } as const;
  const builder = new OverviewBuilder(scope, ({ model }) => (model === "unknown" ? undefined : RATES));
  for (const one of all) builder.add(one);
  return { ...builder.result(), needsFrom: overviewNeedsFrom(scope) };
}

const sum = (rows: readonly UsageTotals[], of: (row: UsageTotals) => number) =>
  rows.reduce((all, row) => all + of(row), 0);

describe("an overview", () => {
  it("is the same whole by any partition", () => {
    const by = fc.constantFrom<Grouping>(
      "hour",
      "day",
      "week",
      "month",
      "project",
      "tenant",
      "model",
      "user",
      "source",
    );
    const zones = fc.constantFrom("UTC", "Asia/Kathmandu", "America/St_Johns");
    fc.assert(
      fc.property(sessions, by, fc.constantFrom(undefined, 1, 7, 30), zones, (all, grouping, days, zone) => {
        const { rows, total, models, projects, roles } = overviewOf(all, grouping, days, zone);
        for (const part of [rows, models, projects, roles]) {
          expect(sum(part, ({ tokens }) => tokens)).toBe(total.tokens);
          expect(sum(part, ({ modelCalls }) => modelCalls)).toBe(total.modelCalls);
          expect(sum(part, ({ cost }) => cost.usd)).toBeCloseTo(total.cost.usd, 9);
          expect(sum(part, ({ cost }) => cost.unpricedTokens)).toBe(total.cost.unpricedTokens);
        }
        const stacked = rows.flatMap(({ parts }) => parts);
        expect(stacked.reduce((all, { usd }) => all + usd, 0)).toBeCloseTo(total.cost.usd, 9);
        expect(stacked.reduce((all, { tokens }) => all + tokens, 0)).toBe(total.tokens);
        if (grouping === "model") return;
        expect(sum(rows, ({ toolCalls = 0 }) => toolCalls)).toBe(total.toolCalls);
        expect(sum(rows, ({ failedToolCalls = 0 }) => failedToolCalls)).toBe(total.failedToolCalls);
      }),
      { numRuns: 60 },
    );
  });

  it("counts tools as a whole does, and what failed once", () => {
    fc.assert(
      fc.property(sessions, fc.constantFrom(undefined, 7), (all, days) => {
        const { rows, total, failures, tools } = overviewOf(all, "tool", days);
        expect(sum(rows, ({ toolCalls = 0 }) => toolCalls)).toBe(total.toolCalls);
        expect(tools.reduce((count, { failures }) => count + failures, 0)).toBe(total.failedToolCalls);
        expect(failures.reduce((count, one) => count + one.count, 0)).toBe(total.failedToolCalls);
      }),
      { numRuns: 40 },
    );
  });

  it("is the sum of what a filter means and of what its negation means", () => {
    const clock = { now: NOW, zone: TimeZone.named("UTC")! };
    const filters = fc.constantFrom(
      "tool:search",
      "error",
      "model:opus",
      "after:7d",
      "tenant:shop calls:>2",
      "error:timed OR user:ada",
    );
    fc.assert(
      fc.property(sessions, filters, (all, text) => {
        const matches = matchSession(parseFilter(text, clock).filter!);
        const negated = matchSession(parseFilter(`NOT (${text})`, clock).filter!);
        const [matching, others] = [all.filter((one) => matches(one)), all.filter((one) => negated(one))];
        const undecided = all.filter((one) => matches(one) === undefined);
        expect(matching.length + others.length + undecided.length).toBe(all.length);
        expect(undecided).toEqual(all.filter((one) => negated(one) === undefined));
        const [total, ...parts] = [all, matching, others, undecided].map(
          (some) => overviewOf(some, "day", 30).total,
        );
        expect(sum(parts, ({ tokens }) => tokens)).toBe(total!.tokens);
        expect(sum(parts, ({ sessions }) => sessions)).toBe(total!.sessions);
        expect(sum(parts, ({ cost }) => cost.usd)).toBeCloseTo(total!.cost.usd, 9);
      }),
      { numRuns: 40 },
    );
  });

  it("does not need what was over before it says", () => {
    fc.assert(
      fc.property(sessions, fc.constantFrom(1, 7, 30), (all, days) => {
        const { needsFrom, ...total } = overviewOf(all, "day", days);
        const recent = all.filter(({ lastActive }) => Date.parse(lastActive) >= needsFrom!);
        const { needsFrom: _, ...part } = overviewOf(recent, "day", days);
        expect(part).toEqual(total);
      }),
      { numRuns: 40 },
    );
  });

  it("compares with a range before that is as long, and says what a month will cost", () => {
    const facts = (hoursAgo: number) => {
      const builder = new FactsBuilder();
      const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
      builder.addCall({
        at: NOW - hoursAgo * HOUR,
        model: "opus",
        role: "",
        usage,
        contextTokens: 1_000_000,
      });
      return builder.build();
    };
    const item = { tenantId: "a", userId: "", turns: 1, tokens: 1_000_000, status: "idle" } as const;
    const all = [30, 100, 200].map(
      (hoursAgo, i): ListedSession => ({
        ...item,
        sessionId: String(i),
        lastActive: new Date(NOW - hoursAgo * HOUR).toISOString(),
        facts: facts(hoursAgo),
      }),
    );
    const { total, previous, pace } = overviewOf(all, "day", 7, "UTC");
    expect([total.cost.usd, previous!.cost.usd]).toEqual([6, 3]);
    expect(pace).toMatchObject({ month: "2026-11", spentUsd: 9 });
    // 4.58 days are left, at 6 dollars in 7 days.
    expect(pace!.usd).toBeCloseTo(9 + (6 / 7) * (110 / 24), 9);
  });

  it("says how many did something at a time, how long tools took, and about what their results cost", () => {
    const at = NOW - HOUR;
    const did = (agents: readonly string[], durations: readonly number[], again: number) => {
      const builder = new FactsBuilder();
      for (const agentId of agents) builder.addActivity(at, agentId);
      for (const durationMs of durations)
        builder.addTool({ at, name: "search", outcome: "completed", durationMs, resultTokens: 10 });
      const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 5_000, cacheWriteTokens: 1_000 };
      builder.addCall({ at, model: "opus", role: "", usage, contextTokens: 6_000 });
      builder.addCarried(at, "search", { model: "opus" }, { first: 1_000, again });
      return builder.build();
    };
    const item = { tenantId: "a", userId: "", turns: 1, tokens: 0, status: "idle" } as const;
    const lastActive = new Date(at).toISOString();
    const { concurrency, tools } = overviewOf(
      [
        { ...item, sessionId: "1", lastActive, facts: did(["", "a", "b"], [100, 100, 100], 5_000) },
        { ...item, sessionId: "2", lastActive, facts: did([""], [10_000], 0) },
      ],
      "day",
      7,
    );
    expect(concurrency).toMatchObject({
      peakSessions: 2,
      peakAgents: 4,
      peakAt: lastActive,
      pointMs: 900_000,
    });
    expect(concurrency.points).toEqual([{ at: lastActive, sessions: 2, agents: 4 }]);
    const [search] = tools;
    expect(search).toMatchObject({ calls: 4, sessions: 2, resultTokens: 40, carriedTokens: 7_000 });
    expect(search!.carriedUsd).toBeCloseTo(2_000 * 3.75e-6 + 5_000 * 3e-7, 9);
    expect(Math.abs(search!.p50Ms! / 100 - 1)).toBeLessThan(0.1);
    expect(Math.abs(search!.p95Ms! / 10_000 - 1)).toBeLessThan(0.1);
  });

  it("counts in each row the sessions that its filter selects, though names differ in case", () => {
    const named = (sessionId: string, userId: string, model: string, tools: readonly string[], days = 1) => {
      const at = NOW - days * 24 * HOUR;
      const builder = new FactsBuilder();
      const usage = { inputTokens: 10, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
      builder.addCall({ at, model, role: userId, usage, contextTokens: 10 });
      for (const name of tools)
        builder.addTool({ at, name, outcome: "completed", durationMs: 1, resultTokens: 1 });
      const lastActive = new Date(at).toISOString();
      const item = { tenantId: "a", userId, turns: 1, tokens: 10, status: "idle", source: userId } as const;
      return { ...item, sessionId, lastActive, facts: builder.build() };
    };
    const all = [
      named("1", "ada", "opus", ["Bash"]),
      named("2", "Ada", "Opus", ["bash", "BASH", "edit"]),
      named("3", "bob", "sonnet", ["bash"]),
    ];
    const overview = overviewOf([...all, named("4", "ada", "opus", ["BASH"], 9)], "tool", 7);
    const { tools, users, models, roles, sources, rows } = overview;
    expect(tools[0]).toMatchObject({ name: "Bash", calls: 4, previous: { calls: 1 } });
    const clock = { now: NOW, zone: TimeZone.named("UTC")! };
    for (const { filter, sessions } of [...tools, ...users, ...models, ...roles, ...sources, ...rows]) {
      const matches = matchSession(parseFilter(filter!, clock).filter!);
      expect([filter, sessions]).toEqual([filter, all.filter((one) => matches(one)).length]);
    }
  });

  it("counts sessions that are dated after now, but not one of this quarter hour", () => {
    const item = { tenantId: "a", userId: "", turns: 1, tokens: 0, status: "idle" } as const;
    const fromNow = (ms: number) => new Date(NOW + ms).toISOString();
    const all = [
      { ...item, sessionId: "now", lastActive: fromNow(-1) },
      { ...item, sessionId: "tomorrow", lastActive: fromNow(24 * HOUR) },
      { ...item, sessionId: "2099", lastActive: "2099-01-01T00:00:00.000Z" },
    ];
    expect(overviewOf(all, "day", 7).coverage).toMatchObject({ sessions: 1, inFuture: 2 });
    expect(overviewOf(all.slice(0, 1), "day", 7).coverage).not.toHaveProperty("inFuture");
  });

  it.each([
    ["a recorded cost", 0.001, 500, 500 * 3.75e-6 * (0.001 / 0.00375)],
    ["a recorded cost of nothing", 0, 500, 0],
    ["estimates above the counted tokens", undefined, 9_000, 0.00375],
  ])("shares the cost of the calls among tools, with %s", (_, recordedUsd, first, usd) => {
    const at = NOW - HOUR;
    const builder = new FactsBuilder();
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 1_000 };
    builder.addCall({ at, model: "opus", role: "", usage, contextTokens: 1_000, recordedUsd });
    builder.addTool({ at, name: "search", outcome: "completed", resultTokens: first });
    builder.addCarried(at, "search", { model: "opus" }, { first, again: 0 });
    const lastActive = new Date(at).toISOString();
    const session = { tenantId: "a", sessionId: "s", userId: "", turns: 1, tokens: 1_000, lastActive };
    const { tools, total } = overviewOf([{ ...session, status: "idle", facts: builder.build() }], "day", 7);
    expect(tools[0]!.carriedUsd).toBeCloseTo(usd, 9);
    expect(tools[0]!.carriedUsd).toBeLessThanOrEqual(total.cost.usd);
  });
});
