import { describe, expect, it } from "vitest";
import { FactsBuilder } from "./facts-builder.js";
import { MOST_NAMES, QUARTER_MS } from "./session-facts.js";

const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2 };

describe("FactsBuilder", () => {
  it("adds up calls that cost alike, and keeps those apart that do not", () => {
    const facts = new FactsBuilder();
    const call = { at: 0, model: "a", role: "", usage: USAGE, contextTokens: 15 };
    facts.addCall(call);
    facts.addCall({ ...call, at: QUARTER_MS - 1, hasFailed: true });
    facts.addCall({ ...call, at: QUARTER_MS });
    facts.addCall({ ...call, contextTokens: 300_000 });
    facts.addCall({ ...call, recordedUsd: 0.5 });
    facts.addCall({ ...call, role: "reviewer" });
    const { usage, models, roles } = facts.build();
    expect(models).toEqual([{ model: "a" }]);
    expect(roles).toEqual(["", "reviewer"]);
    expect(usage.calls).toEqual([2, 1, 1, 1, 1]);
    expect(usage.failedCalls).toEqual([1, 0, 0, 0, 0]);
    expect(usage.quarter).toEqual([0, 1, 0, 0, 0]);
    expect(usage.outputTokens).toEqual([10, 5, 5, 5, 5]);
    expect(usage.recordedUsd).toEqual([-1, -1, -1, 0.5, -1]);
  });

  it("knows the first and the last failure of a cause, in any order", () => {
    const facts = new FactsBuilder();
    for (const at of [500, 100, 900]) facts.addFailure(at, "timed out", "search");
    facts.addFailure(100, "timed out", undefined);
    const { failures, tools } = facts.build();
    expect(tools).toEqual(["search"]);
    expect(failures).toMatchObject({ tool: [0, -1], count: [3, 1], firstAt: [100, 100], lastAt: [900, 100] });
  });

  it("counts the minutes of a quarter, and who called a model in it", () => {
    const facts = new FactsBuilder();
    facts.addActivity(0);
    facts.addActivity(59_999, "");
    facts.addActivity(14 * 60_000, "a");
    facts.addActivity(14 * 60_000, "a");
    expect(facts.build().activity).toEqual({ quarter: [0], minutes: [0b100000000000001], agents: [2] });
  });

  it("counts what has too many names without a name", () => {
    const facts = new FactsBuilder();
    const tool = { at: 0, outcome: "completed", resultTokens: 0 } as const;
    for (let i = 0; i < MOST_NAMES + 50; i++) facts.addTool({ ...tool, name: `tool ${i}` });
    const { tools, toolUse } = facts.build();
    expect(tools).toHaveLength(MOST_NAMES);
    expect(tools.at(-1)).toBe("");
    expect(toolUse.calls.reduce((sum, calls) => sum + calls)).toBe(MOST_NAMES + 50);
  });

  it("merges to the sums of all activity", () => {
    const complete = new FactsBuilder();
    const parts = [new FactsBuilder(), new FactsBuilder(), new FactsBuilder()];
    for (let i = 0; i < 300; i++) {
      const [at, name] = [i * 77_777, `tool ${i % 7}`];
      for (const facts of [complete, parts[i % 3]!]) {
        const outcome = (["completed", "failed", "refused"] as const)[i % 3]!;
        facts.addTool({ at, name, outcome, durationMs: i * i, resultTokens: i });
        facts.addCarried(at, name, { model: `model ${i % 2}` }, { first: i, again: 2 * i });
        facts.addFailure(at, `cause ${i % 5}`, i % 4 === 0 ? undefined : name);
        facts.addActivity(at);
        facts.addCompactions(i % 2);
      }
    }
    const merged = new FactsBuilder();
    for (const part of parts) merged.merge(part, 0);
    expect(rowsOf(merged)).toEqual(rowsOf(complete));
    expect(merged.build().compactions).toBe(150);
  });

  it("merges activity without an instant at the given one", () => {
    const part = new FactsBuilder();
    part.addTool({ at: Number.NaN, name: "search", outcome: "failed", resultTokens: 9 });
    part.addCarried(Number.NaN, "search", { model: "a" }, { first: 1, again: 2 });
    part.addFailure(Number.NaN, "timed out", "search");
    const merged = new FactsBuilder();
    merged.merge(part, 3 * QUARTER_MS + 5);
    const { toolUse, carried, failures } = merged.build();
    expect(toolUse).toMatchObject({ quarter: [3], failures: [1], resultTokens: [9] });
    expect(carried).toMatchObject({ quarter: [3], firstTokens: [1], againTokens: [2] });
    expect(failures).toMatchObject({
      quarter: [3],
      firstAt: [3 * QUARTER_MS + 5],
      lastAt: [3 * QUARTER_MS + 5],
    });
  });
});

/** All rows with names instead of indexes, in one order. */
function rowsOf(facts: FactsBuilder): readonly string[] {
  const built = facts.build();
  const names: Record<string, readonly unknown[]> = {
    tool: built.tools,
    model: built.models,
    cause: built.causes,
  };
  const tables = [built.toolUse, built.durations, built.carried, built.failures, built.activity];
  return tables
    .flatMap((table) => {
      const columns = Object.entries(table as Record<string, readonly number[]>);
      return columns[0]![1].map((_, row) =>
        JSON.stringify(columns.map(([name, values]) => [name, names[name]?.[values[row]!] ?? values[row]])),
      );
    })
    .sort();
}
