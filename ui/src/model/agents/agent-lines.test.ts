import { describe, expect, it } from "vitest";
import { NO_COST } from "../../../../src/domain/usage/money.js";
import { agentLines, foldedAround } from "./agent-lines.js";
import { type AgentFacts, agentTree, parentsOf } from "./agent-table.js";
import { nextAgentSort, readAgentsQuery } from "./agents-query.js";

const agent = (
  id: string,
  parentId: string | undefined,
  others: Partial<AgentFacts> = {},
  tokens = 10,
): AgentFacts => ({
  id,
  parentId,
  name: id,
  role: "worker",
  state: "closed",
  models: [],
  prompt: () => "",
  from: 0,
  to: 100,
  own: { llmCalls: 1, toolCalls: 2, tokens, cost: undefined, errors: 0, waitedMs: 5 },
  ...others,
});

const AGENTS = [
  agent("main", undefined, { role: "" }),
  agent("lead-1", "main", { role: "lead", prompt: () => "Split the work." }, 20),
  agent("lead-2", "main", { role: "lead", state: "failed" }, 90),
  agent("small", "lead-1", { models: ["claude-haiku-4-5"], from: 20, to: 400 }, 1),
  agent("large", "lead-1", { models: ["gpt-5"] }, 300),
];

const lines = (
  address: { readonly [name: string]: string },
  folded: readonly string[] = [],
  agents = AGENTS,
) => agentLines(agentTree(agents), readAgentsQuery(address), new Set(folded));

/** As `depth id`, those in brackets that stand aside. */
const linesOf = (...args: Parameters<typeof lines>) =>
  lines(...args).map((line) => {
    const name = `${line.depth} ${line.id}`;
    return line.type === "agent" && line.aside ? `(${name})` : name;
  });

describe("The tree of agents", () => {
  it("sums up each branch: an agent with all that it spawned", () => {
    const [main, lead] = agentTree(AGENTS);
    expect(main?.sums.branch).toMatchObject({
      agents: 5,
      tokens: 421,
      llmCalls: 5,
      durationMs: 400,
      waitedMs: 25,
    });
    expect(lead?.sums.branch).toMatchObject({ agents: 3, tokens: 321, cost: undefined, durationMs: 400 });
    expect(lead?.sums.own).toMatchObject({ agents: 1, tokens: 20, durationMs: 100 });
  });

  it("adds up what has a price", () => {
    const own = { ...AGENTS[0]!.own, cost: { ...NO_COST, usd: 0.5 } };
    const agents = [agent("main", undefined), agent("a", "main", { own }), agent("b", "a", { own })];
    expect(agentTree(agents).map(({ sums }) => sums.branch.cost?.usd)).toEqual([1, 1, 0.5]);
  });

  it("gives the main agent what has an unknown parent or spawned itself, and keeps what that spawned", () => {
    const ids = (ids: readonly [string, string][]) => ids.map(([id, parentId]) => ({ id, parentId }));
    const parents = parentsOf(
      ids([
        ["main", "a"],
        ["a", "b"],
        ["b", "a"],
        ["c", "b"],
        ["d", "gone"],
      ]),
      "main",
    );
    expect(Object.fromEntries(parents)).toEqual({ a: "main", b: "main", c: "b", d: "main" });
  });

  it("walks a chain of thousands once", () => {
    const chain = Array.from({ length: 5000 }, (_, i) => agent(`a${i}`, i === 0 ? undefined : `a${i - 1}`));
    expect(agentTree(chain)[0]?.sums.branch.tokens).toBe(50_000);
    expect(lines({}, [], chain).at(-1)?.depth).toBe(4999);
  });
});

describe("The lines of the table", () => {
  it("have siblings sorted below who spawned them, by what their branches come to", () => {
    expect(linesOf({ sort: "-tokens" })).toEqual(["0 main", "1 lead-1", "2 large", "2 small", "1 lead-2"]);
    expect(linesOf({ sort: "-tokens", sums: "own" })).toEqual([
      "0 main",
      "1 lead-2",
      "1 lead-1",
      "2 large",
      "2 small",
    ]);
  });

  it("are one list where they are flat, by what each agent did itself", () => {
    expect(linesOf({ layout: "flat", sort: "-tokens" }).slice(0, 2)).toEqual(["0 large", "0 lead-2"]);
    expect(linesOf({ layout: "flat", sort: "model" }).slice(0, 2)).toEqual(["0 small", "0 large"]);
    expect(linesOf({ layout: "flat" })[1]).toBe("0 lead-1");
  });

  it("have what is not known last in either direction", () => {
    for (const sort of ["model", "-model"])
      expect(linesOf({ layout: "flat", sort }).slice(2)).toHaveLength(3);
    expect(linesOf({ layout: "flat", sort: "-model" }).slice(0, 2)).toEqual(["0 large", "0 small"]);
  });

  it("have a heading with the sums of each role", () => {
    const heads = lines({ layout: "roles", sort: "-tokens" }).filter(({ type }) => type === "role");
    expect(heads.map(({ id, sums }) => [id, sums.agents, sums.tokens])).toEqual([
      ["role:worker", 2, 301],
      ["role:lead", 2, 110],
      ["role:", 1, 10],
    ]);
    expect(linesOf({ layout: "roles" }, ["role:lead"])).toEqual([
      "0 role:",
      "1 main",
      "0 role:lead",
      "0 role:worker",
      "1 small",
      "1 large",
    ]);
  });

  it("begin with their roles folded where there are many agents", () => {
    const many = [...AGENTS, ...Array.from({ length: 40 }, (_, i) => agent(`w${i}`, "main"))];
    expect(linesOf({ layout: "roles" }, [], many)).toEqual(["0 role:", "0 role:lead", "0 role:worker"]);
  });

  it("hide what is folded, and say how many lines are in it", () => {
    expect(linesOf({}, ["lead-1"])).toEqual(["0 main", "1 lead-1", "1 lead-2"]);
    expect(lines({}, ["lead-1"])[1]).toMatchObject({ parts: 2, folded: true });
  });

  it("hold what a filter finds, and who spawned it", () => {
    expect(linesOf({ filter: "haiku" })).toEqual(["(0 main)", "(1 lead-1)", "2 small"]);
    expect(linesOf({ filter: "role:lead -state:failed" })).toEqual(["(0 main)", "1 lead-1"]);
    expect(linesOf({ filter: '"split the"', layout: "flat" })).toEqual(["0 lead-1"]);
    expect(linesOf({ filter: "constructor:x" })).toEqual([]);
    expect(linesOf({ filter: "  ( - " })).toHaveLength(5);
  });

  it("are found again where something around them is folded", () => {
    const entries = agentTree(AGENTS);
    expect(foldedAround(entries[3]!, entries, readAgentsQuery({}))).toEqual(["lead-1", "main"]);
    expect(foldedAround(entries[3]!, entries, readAgentsQuery({ layout: "roles" }))).toEqual(["role:worker"]);
  });
});

it("A click on a column sorts by it: numbers largest first, words from a to z, and then the other way around", () => {
  const next = (sort: string, column: "cost" | "agent") =>
    nextAgentSort(readAgentsQuery({ sort }).sort, column);
  expect([next("", "cost"), next("-cost", "cost"), next("cost", "cost")]).toEqual(["-cost", "cost", ""]);
  expect([next("-cost", "agent"), next("agent", "agent"), next("-agent", "agent")]).toEqual([
    "agent",
    "-agent",
    "",
  ]);
  expect(readAgentsQuery({ sort: "-toString", layout: "constructor", sums: "x" })).toEqual({
    filter: "",
    sort: undefined,
    layout: "tree",
    sums: "branch",
  });
});
