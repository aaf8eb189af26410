import { describe, expect, it } from "vitest";
import type { Overview, UsageTotals } from "../../domain/overview/overview.js";
import { usageText } from "./usage-text.js";

const totals = (sessions: number, usd: number, unpricedCalls = 0): UsageTotals => ({
  sessions,
  cost: { usd, recordedUsd: 0, unpricedCalls, unpricedTokens: 0 },
  usage: { inputTokens: 1_200, outputTokens: 300, cacheReadTokens: 45_000, cacheWriteTokens: 0 },
  tokens: 46_500,
  modelCalls: 12,
  failedModelCalls: 1,
  toolCalls: 9,
  failedToolCalls: 2,
  activeMs: 60_000,
});

const OVERVIEW: Overview = {
  range: {
    from: "2026-11-23T23:00:00.000Z",
    to: "2026-11-26T09:00:00.000Z",
    zone: "Europe/Berlin",
    by: "day",
    stack: "model",
  },
  coverage: { sessions: 3, unread: 0, withoutFacts: 1, withoutCounts: 0, partlyPriced: 1, undecided: 2 },
  total: totals(3, 3.5, 1),
  pace: { month: "2026-11", spentUsd: 3.5, usd: 5.25, since: "2026-11-18T23:00:00.000Z", usdPerDay: 0.5 },
  rows: [
    { ...totals(2, 1), name: "2026-11-24", parts: [] },
    { ...totals(0, 0), name: "2026-11-25", parts: [] },
    { ...totals(1, 2.5, 1), name: "2026-11-26", parts: [] },
  ],
  projects: [],
  models: [],
  users: [],
  sources: [],
  roles: [],
  tools: [
    {
      name: "bash",
      calls: 40,
      failures: 3,
      refused: 1,
      sessions: 2,
      p50Ms: 80,
      p95Ms: 61_000,
      previous: { calls: 10, failures: 0, p95Ms: 2_000 },
      resultTokens: 900,
      carriedTokens: 4_000,
      carriedUsd: 0.004,
    },
    { name: "\u001b[2J", calls: 1, failures: 0, refused: 0, sessions: 1, resultTokens: 0, carriedTokens: 0 },
  ],
  failures: [
    {
      cause: "Error: ENOENT: no such file",
      tool: "bash",
      count: 3,
      sessions: 2,
      firstAt: "2026-11-24T10:00:00.000Z",
      lastAt: "2026-11-26T08:00:00.000Z",
      last: { tenantId: "acme", sessionId: "s1" },
    },
  ],
  largestSessions: [],
  largestCalls: [],
  concurrency: { peakSessions: 2, peakAgents: 1, peakAt: "2026-11-24T10:15:00.000Z", points: [] },
};

describe("the text of an overview", () => {
  it("is a table of times in which something happened, with a total, the pace, and what the sums leave out", () => {
    expect(
      usageText(OVERVIEW),
    ).toBe(`DAY         SESSIONS  CALLS  INPUT  OUTPUT  CACHE READ  CACHE WRITE    COST  FAILED
2026-11-24         2     12  1,200     300      45,000            0   $1.00       3
2026-11-26         1     12  1,200     300      45,000            0  ≥$2.50       3
TOTAL              3     12  1,200     300      45,000            0  ≥$3.50       3

At this pace $5.25 in November ($3.50 so far, $0.50 a day since 2026-11-19).
At most 2 sessions and 1 agent at a time, at 2026-11-24 11:15.
3 sessions from 2026-11-24 00:00 until 2026-11-26 10:00 (Europe/Berlin).
1 session known by totals alone: what tools did, what failed and when is not in the sums.
1 session partly priced.
2 sessions left out: it is not known whether the filter means them.
`);
  });

  it("is of tools their calls, failures and durations beside those before, and what failed", () => {
    const text = usageText({ ...OVERVIEW, range: { ...OVERVIEW.range, by: "tool" } });
    expect(text.split("\n").slice(0, 6)).toEqual([
      "TOOL       CALLS  FAILED  ERROR RATE   P50   P95  RESULT TOKENS  CARRYING COST  BEFORE: ERROR RATE   P95",
      "bash          40       3        7.5%  80ms  1.0m            900         <$0.01                0.0%  2.0s",
      "\\u{1b}[2J      1       0        0.0%     -     -              0              -                   -     -",
      "",
      "FAILED  SESSIONS  FIRST             LAST              TOOL  CAUSE",
      "     3         2  2026-11-24 11:00  2026-11-26 09:00  bash  Error: ENOENT: no such file",
    ]);
  });

  it("says that there is nothing", () => {
    const coverage = { ...OVERVIEW.coverage, sessions: 0, withoutFacts: 0, partlyPriced: 0, undecided: 0 };
    expect(usageText({ ...OVERVIEW, coverage })).toBe(
      "No session did anything from 2026-11-24 00:00 until 2026-11-26 10:00 (Europe/Berlin).\n",
    );
  });
});
