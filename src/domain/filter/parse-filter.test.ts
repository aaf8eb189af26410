import { describe, expect, it } from "vitest";
import { FactsBuilder } from "../facts/facts-builder.js";
import type { ListedSession } from "../session/model-usage.js";
import { TimeZone } from "../trace/time-zone.js";
import { matchSession } from "./match-session.js";
import { parseFilter } from "./parse-filter.js";
import { undecidedWhere } from "./session-filter.js";

const clock = { now: Date.parse("2026-11-26T10:00:00Z"), zone: TimeZone.named("UTC")! };

const SESSION: ListedSession = {
  tenantId: "acme",
  sessionId: "s-1",
  userId: "Ada",
  lastActive: "2026-11-25T12:00:00.000Z",
  createdAt: "2026-11-25T11:30:00.000Z",
  turns: 3,
  tokens: 20_000,
  status: "error",
  title: "Mend router.ex (again)",
  directory: "/srv/shop",
  errors: 2,
  model: "claude-opus-4-5",
  cost: { usd: 1.5, recordedUsd: 0, unpricedCalls: 0, unpricedTokens: 0 },
};

const facts = new FactsBuilder();
facts.addTool({ at: 0, name: "search", outcome: "failed", resultTokens: 0 });
facts.addTool({ at: 0, name: "mcp__files__read", outcome: "completed", resultTokens: 0 });
facts.addFailure(0, "Request timed out", "search");
facts.addFile("lib/router.ex", "edited");
facts.addFile("README.md", "read");
facts.addAgents(2);
const WITH_FACTS = { ...SESSION, facts: facts.build() };

function isMatch(text: string, session: ListedSession = WITH_FACTS) {
  const { filter, problem } = parseFilter(text, clock);
  expect(problem).toBeUndefined();
  return matchSession(filter!)(session);
}

describe("a filter means a session", () => {
  it.each([
    "",
    'tenant:acme tool:search error cost:>1 after:yesterday model:opus "router.ex"',
    "tenant:SHOP",
    "tenant:a*e tool:mcp__*__read",
    "user:ada -user:bob",
    "status:idle,error",
    "-status:waiting",
    "NOT status:idle",
    "user:bob OR (turns:3 tokens:20k)",
    "user:bob OR turns:3 tokens:<1M",
    'title:"router.ex (again)"',
    "error:timed file:README edited:router.ex agents:2 compactions:0",
    "cost:1..2 cost:<=$1.5 turns:>=3 turns:..3 turns:3..",
    "duration:30m duration:<1h before:2026-11-25T11:31 errors:>1",
    "model:=claude-opus-4-5",
    "failed:search -failed:mcp__files__read",
    'title:"=mend router.ex (again)"',
    "AND tenant:acme AND AND session:s-1",
  ])("%s", (text) => {
    expect(isMatch(text)).toBe(true);
  });
});

describe("a filter does not mean a session", () => {
  it.each([
    "tenant:acm",
    "-tenant:acme",
    "tenant:a*x",
    "tool:sea",
    "model:=claude-opus",
    "cost:>1.5",
    "edited:README.md",
    "after:today",
    "before:2026-11-25",
    "turns:3 user:bob",
    "error -error",
    "tenant:acme*acme",
  ])("%s", (text) => {
    expect(isMatch(text)).toBe(false);
  });
});

describe("what a source does not know", () => {
  it.each([
    ["tool:search", undefined],
    ["-tool:search", undefined],
    ["tool:search user:bob", false],
    ["tool:search OR user:ada", true],
    ["error:timeout", undefined],
    ["calls:>1", undefined],
    ["failed:search", undefined],
    ["model:opus", true],
    ["model:sonnet", undefined],
  ])("%s of a session without facts: %s", (text, result) => {
    expect(isMatch(text, SESSION)).toBe(result);
  });

  it("is what is behind the least that something cost", () => {
    const partly = { ...SESSION, cost: { ...SESSION.cost!, unpricedCalls: 1 } };
    expect(["cost:>1", "cost:>2", "cost:<1", "cost:<2"].map((text) => isMatch(text, partly))).toEqual([
      true,
      undefined,
      false,
      undefined,
    ]);
  });

  it("is no count of tokens, no failure and no cost", () => {
    const { errors: _, cost: __, ...nothing } = { ...SESSION, tokens: 0 };
    expect(["tokens:0", "error", "cost:0"].map((text) => isMatch(text, nothing))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("a filter for whoever cannot decide some of its terms", () => {
  it.each([
    ["tenant:zeta", undefined],
    ["-tenant:acme", undefined],
    ["tenant:zeta user:bob", false],
    ["-(tenant:acme OR user:bob)", undefined],
    ["tenant:zeta OR user:ada", true],
  ])("leaves out by %s only what it certainly does not mean", (text, result) => {
    const { filter } = parseFilter(text, clock);
    const inside = undecidedWhere(filter!, (term) => term.is === "text" && term.field === "tenant");
    expect(matchSession(inside)(SESSION)).toBe(result);
  });
});

describe("what is wrong with a filter is named, with its place", () => {
  it.each([
    ["tol:search", 0, 3, "tool", 'There is no field "tol". Is it "tool"?'],
    [
      "a status:idel",
      9,
      4,
      "idle",
      'There is no status "idel": it is failed, waiting, stalled, looping, running, stopped, done or idle.',
    ],
    ["cost:>x", 5, 2, undefined, '"x" is no value of cost: US dollars.'],
    ["cost:", 0, 5, undefined, '"cost:" has no value: US dollars.'],
    ["after:soon", 6, 4, undefined, '"soon" is no value of after: active since: 2026-11-01, 7d, yesterday.'],
    ['a "b', 2, 2, undefined, "A quotation mark is not closed."],
    ["a OR", 2, 2, undefined, "OR needs a term after it."],
    ["OR a", 0, 2, undefined, "There is nothing before OR."],
    ["(a", 0, 1, undefined, 'This "(" is not closed.'],
    ["a)", 1, 1, undefined, 'A ")" closes nothing.'],
    ["NOT", 0, 3, undefined, "NOT needs a term after it."],
    ["turns:..", 6, 2, undefined, '".." is no value of turns: turns.'],
  ])("%s", (text, at, length, nearest, message) => {
    const { problem } = parseFilter(text, clock);
    expect(problem).toEqual({ message, at, length, ...(nearest === undefined ? {} : { nearest }) });
  });

  it("reads hostile text in a moment", () => {
    const hostile = [
      "(".repeat(5_000),
      "-".repeat(5_000),
      "a ".repeat(5_000),
      '"'.repeat(5_001),
      "a:".repeat(5_000),
    ];
    for (const text of hostile) expect(parseFilter(text, clock).problem).toBeDefined();
  });
});
