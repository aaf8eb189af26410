import { describe, expect, it } from "vitest";
import type { CallTotals } from "../../../../src/domain/cost/call-totals.js";
import { CarriedSum } from "../../../../src/domain/cost/carrying-cost.js";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import { contextRows, missesByCause, moneyRows, tokensOf } from "./summary-rows.js";

const NAMES = {
  system: "System",
  unaccounted: "Unaccounted",
  unseen: "Unseen",
  mainAgent: "Main",
  unknownModel: "Unknown",
};

const carried = (tokens: number) => ({ ...new CarriedSum().result(), tokens });
const group = (name: string, tokens: number) => ({ ...carried(tokens), name, items: 1 });

function totals(usd: number, inputTokens: number): CallTotals {
  return {
    calls: 1,
    uncountedCalls: 0,
    placeholderCalls: 0,
    usage: { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    cost: { usd, recordedUsd: 0, unpricedCalls: 0, unpricedTokens: 0 },
    ms: 0,
  };
}

/** The part of a summary that the rows are made of. */
const summary = {
  total: totals(4, 100),
  models: [
    { ...totals(3, 60), model: "opus" },
    { ...totals(1, 40), model: "" },
  ],
  agents: [
    { ...totals(3, 60), agentId: "", name: "", toolCalls: 0 },
    { ...totals(1, 40), agentId: "a1", name: "Explore", toolCalls: 0 },
    { ...totals(0, 0), agentId: "a2", name: "Test", toolCalls: 0 },
    { ...totals(0, 0), agentId: "a3", name: "Test", toolCalls: 0 },
  ],
  turns: [],
  largestCalls: [
    {
      stepId: "s1",
      agentId: "",
      model: "opus",
      contextTokens: 50,
      outputTokens: 1,
      cost: totals(3, 0).cost,
      ms: 0,
    },
    {
      stepId: "s2",
      agentId: "",
      model: "",
      contextTokens: 0,
      outputTokens: 0,
      cost: totals(0, 0).cost,
      ms: 0,
    },
  ],
  context: {
    items: [
      {
        ...carried(30),
        agentId: "a1",
        origin: "tool",
        part: "result",
        messageIndex: 3.5,
        text: "x.ts",
        toolName: "Read",
        size: 3,
      },
      {
        ...carried(10),
        agentId: "",
        origin: "user",
        part: "text",
        messageIndex: -1,
        stepId: "s1",
        text: "Hi",
        size: 1,
      },
    ],
    system: carried(60),
    unaccounted: carried(0),
    unseen: carried(0),
    byOrigin: [group("tool", 30), group("user", 10)],
    byTool: [group("mcp, the one", 30)],
    byFile: [group("src/x.ts", 30)],
    byAgent: [group("", 60), group("Explore", 30), group("Test", 10)],
  },
  cacheMisses: {
    byCause: [{ cause: "idle", count: 4, tokens: 10, usd: 1, unpricedTokens: 0 }],
    calls: [1, 2, 3, 4].map((n) => ({ stepId: `m${n}`, cause: n === 2 ? "model" : "idle" })),
  },
} as unknown as SessionSummary;

const targets = (rows: readonly { readonly target?: unknown }[]) => rows.map(({ target }) => target);

describe("the rows of what filled the contexts", () => {
  it("begin with the system prompt, and lead from a part to its message, or to the step where no message holds it", () => {
    const rows = contextRows(summary, "items", NAMES);
    expect(rows.map(({ label, note }) => [label, note])).toEqual([
      ["System", undefined],
      ["Read x.ts", "result"],
      ["Hi", "user"],
    ]);
    expect(targets(rows)).toEqual([
      { tab: "context", query: { call: "1" } },
      { tab: "messages", query: { agent: "a1", at: "3" } },
      { tab: "trace", query: { event: "s1" } },
    ]);
  });

  it("are called by their messages where they have no words", () => {
    const [item] = summary.context.items;
    const wordless = { ...item!, messageIndex: 6, text: "", toolName: undefined };
    const context = { ...summary.context, items: [wordless, { ...wordless, messageIndex: -1 }] };
    const rows = contextRows({ ...summary, context } as unknown as SessionSummary, "items", NAMES);
    expect(rows.map(({ label }) => label)).toEqual(["System", "#6", "result"]);
  });

  it("lead from a tool and a file to their calls, whatever characters the name has", () => {
    expect(targets(contextRows(summary, "tools", NAMES))).toEqual([
      { tab: "trace", query: { tool: "mcp%2C%20the%20one" } },
    ]);
    expect(targets(contextRows(summary, "files", NAMES))).toEqual([
      { tab: "trace", query: { kind: "tool", q: '"src/x.ts"', in: "input,output" } },
    ]);
  });

  it("lead from an agent to its contexts, and from a name that several have to all agents", () => {
    const rows = contextRows(summary, "agents", NAMES);
    expect(rows[0]!.label).toBe("Main");
    expect(targets(rows)).toEqual([
      { tab: "context", query: {} },
      { tab: "context", query: { agent: "a1" } },
      { tab: "agents", query: {} },
    ]);
  });

  it("have what is no message among the kinds, the largest first, and leave out what is nothing", () => {
    const rows = contextRows(summary, "origins", NAMES);
    expect(rows.map(({ label, share }) => [label, share])).toEqual([
      ["System", 0.6],
      ["tool", 0.3],
      ["user", 0.1],
    ]);
    expect(rows.every(({ target }) => target !== undefined)).toBe(true);
  });
});

describe("the rows of where the money went", () => {
  it("take their share of the money, and of the tokens where nothing has a price", () => {
    expect(moneyRows(summary, "models", NAMES).map(({ share }) => share)).toEqual([0.75, 0.25]);
    const free = { ...summary, total: totals(0, 100) };
    expect(moneyRows(free, "models", NAMES).map(({ share }) => share)).toEqual([0.6, 0.4]);
  });

  it("lead from a model and from each agent to their calls", () => {
    expect(targets(moneyRows(summary, "models", NAMES))).toEqual([
      { tab: "trace", query: { kind: "llm", q: '"opus"', in: "other" } },
      { tab: "trace", query: { kind: "llm" } },
    ]);
    expect(targets(moneyRows(summary, "agents", NAMES)).slice(0, 2)).toEqual([
      { tab: "trace", query: { kind: "llm", agent: "main" } },
      { tab: "agents", query: { agent: "a1" } },
    ]);
  });

  it("say what a call did, with its model beside it, and the model alone where that is not known", () => {
    const subjects = new Map([["s1", "→ Read ×3"]]);
    expect(moneyRows(summary, "largestCalls", NAMES, subjects)).toMatchObject([
      { label: "→ Read ×3", note: "opus", target: { tab: "trace", query: { event: "s1" } } },
      { label: "Unknown", totals: { uncountedCalls: 1 } },
    ]);
    expect(moneyRows(summary, "largestCalls", NAMES)[0]).toMatchObject({ label: "opus" });
    expect(tokensOf(moneyRows(summary, "largestCalls", NAMES)[0]!.totals!)).toBe(51);
  });
});

it("shows at most three misses of each cause", () => {
  const [idle] = missesByCause(summary);
  expect(idle!.largest.map(({ stepId }) => stepId)).toEqual(["m1", "m3", "m4"]);
  expect(idle!.count).toBe(4);
});
