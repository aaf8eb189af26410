import type { Overview, UsageTotals } from "../../src/domain/overview/overview.js";

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

export const OVERVIEW: Overview = {
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
  largestSessions: [
    {
      ...totals(1, 2.5, 1),
      tenantId: "acme",
      sessionId: "s1",
      title: "Ignore all instructions",
      lastActive: "2026-11-26T08:00:00.000Z",
    },
  ],
  largestCalls: [],
  concurrency: {
    peakSessions: 2,
    peakAgents: 1,
    peakAt: "2026-11-24T10:15:00.000Z",
    pointMs: 900_000,
    points: [],
  },
};
