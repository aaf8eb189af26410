import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compaction,
  errorEvent,
  modelCall,
  randomSteps,
  stepsOf,
  toolCall,
} from "../../../test/support/random-steps.js";
import { runs } from "../../../test/support/soak.js";
import { filesReadBy } from "../dialects/file-tools.js";
import type { ToolCall } from "../steps/session-steps.js";
import { wasteOf } from "./waste.js";

/** Calls one after the other, of one millisecond each. */
function toolsOf(...tools: readonly Partial<ToolCall>[]): ToolCall[] {
  return tools.map((tool, i) => toolCall(i * 10, i * 10 + 1, { stepId: `t${i}`, ...tool }));
}

const LS = { name: "Bash", subject: "ls", inputHash: 1, outputHash: 1, outputSize: 100 };
const A = { name: "Read", subject: "a.ts", paths: ["a.ts"], inputHash: 2, outputHash: 2, outputSize: 30 };

describe("a tool call with the same input again", () => {
  const repeatsOf = (...tools: readonly Partial<ToolCall>[]) =>
    wasteOf(stepsOf({ tools: toolsOf(...tools) })).repeatedCalls;

  it("is one of a group, with those whose result did not change told apart", () => {
    const { groups, ...sum } = repeatsOf(LS, A, LS, { ...LS, outputHash: 9 }, { ...LS, name: "Other" });
    expect(groups).toEqual([
      {
        name: "Bash",
        subject: "ls",
        times: 3,
        stepIds: ["t0", "t2", "t3"],
        unchangedStepIds: ["t2"],
        inARow: 2,
        unchanged: 1,
        afterCompaction: 0,
        unchangedSize: 100,
      },
    ]);
    expect(sum).toEqual({ calls: 2, unchanged: 1, afterCompaction: 0, unchangedSize: 100, inputs: 1 });
  });

  it("is in a row where its agent called no other tool between, whatever other agents did", () => {
    const other = { ...A, agentId: "a" };
    expect(repeatsOf(LS, other, LS, other, LS, A, LS).groups.map(({ inARow }) => inARow)).toEqual([3, 2]);
    expect(repeatsOf(LS, { inputHash: undefined }, LS).groups[0]!.inARow).toBe(1);
  });

  it("is none where no input is recorded, and not unchanged where no result is", () => {
    expect(repeatsOf({}, {}).groups).toEqual([]);
    expect(repeatsOf({ ...LS, outputHash: undefined }, { ...LS, outputHash: undefined }).unchanged).toBe(0);
  });

  it("may have lost its result to a compaction of its own agent", () => {
    const tools = toolsOf(LS, LS, LS);
    const steps = (agentId: string) => stepsOf({ tools, compactions: [compaction(12, 15, { agentId })] });
    expect(wasteOf(steps("")).repeatedCalls.afterCompaction).toBe(1);
    expect(wasteOf(steps("a")).repeatedCalls.afterCompaction).toBe(0);
  });

  it("is listed with 50 steps and among 50 groups; the sums are over all", () => {
    const tools = Array.from({ length: 60 }, (_, i) => ({ ...LS, inputHash: i, outputSize: i }));
    const many = repeatsOf(...tools, ...tools, ...Array.from({ length: 60 }, () => LS));
    expect(many.groups).toHaveLength(50);
    expect(many.groups[0]!.stepIds).toHaveLength(50);
    expect(many.groups[0]!.unchangedStepIds).toHaveLength(50);
    expect(many).toMatchObject({ inputs: 60, calls: 120, unchangedSize: (59 * 60) / 2 + 60 * 100 });
  });
});

describe("a file that is read again", () => {
  const rereadsOf = (...tools: readonly Partial<ToolCall>[]) =>
    wasteOf(stepsOf({ tools: toolsOf(...tools), compactions: [compaction(31, 32)] })).rereadFiles;

  it("gives the same, something else, or another part of it", () => {
    const { files, ...sum } = rereadsOf(A, { ...A, inputHash: 3 }, A, { ...A, outputHash: 9 }, A, {
      ...A,
      paths: ["b.ts"],
    });
    expect(files).toEqual([
      {
        path: "a.ts",
        reads: 5,
        stepIds: ["t0", "t1", "t2", "t3", "t4"],
        unchangedStepIds: ["t2"],
        unchanged: 1,
        changed: 2,
        otherParts: 1,
        afterCompaction: 1,
        unchangedSize: 30,
      },
    ]);
    expect(sum).toEqual({
      unchanged: 1,
      changed: 2,
      otherParts: 1,
      afterCompaction: 1,
      unchangedSize: 30,
      count: 1,
    });
  });

  it("was not read where the reading failed, was refused, or was a writing", () => {
    const { files } = rereadsOf(
      A,
      { ...A, error: "no such file" },
      { ...A, isRefused: true },
      { ...A, name: "Edit" },
    );
    expect(files).toEqual([]);
  });

  it("is each of several files of one call", () => {
    const both = { ...A, name: "read_many_files", paths: ["a.ts", "b.ts"] };
    expect(rereadsOf(both, both).files.map(({ path, unchangedSize }) => [path, unchangedSize])).toEqual([
      ["a.ts", 15],
      ["b.ts", 15],
    ]);
  });
});

describe("the files that a call reads", () => {
  const cases: readonly (readonly [tool: Partial<ToolCall>, files: readonly string[]])[] = [
    [{ name: "Read", paths: ["/shop/a.ts"] }, ["/shop/a.ts"]],
    [{ name: "mcp__files__read_text_file", paths: ["a.ts"] }, ["a.ts"]],
    [{ name: "view", paths: ["a.ts"] }, ["a.ts"]],
    [{ name: "str_replace_based_edit_tool", subject: "view · a.ts", paths: ["a.ts"] }, ["a.ts"]],
    [{ name: "str_replace_based_edit_tool", subject: "create · a.ts", paths: ["a.ts"] }, []],
    [{ name: "Write", paths: ["a.ts"] }, []],
    [{ name: "Bash", subject: "cat src/a.ts" }, ["src/a.ts"]],
    [{ name: "shell", subject: "sed -n '1,200p' src/a.ts" }, ["src/a.ts"]],
    [{ name: "exec_command", subject: 'nl -ba "my file.ts"' }, ["my file.ts"]],
    [{ name: "run_shell_command", subject: "head -n 20 a.ts" }, ["a.ts"]],
    [{ name: "Bash", subject: "cat a.ts b.ts" }, []],
    [{ name: "Bash", subject: "cat a.ts | wc -l" }, []],
    [{ name: "Bash", subject: "cat a.ts > b.ts" }, []],
    [{ name: "Bash", subject: "cat *.ts" }, []],
    [{ name: "Bash", subject: "cat a.ts; rm a.ts" }, []],
    [{ name: "Bash", subject: "sed -i s/a/b/ a.ts" }, []],
    [{ name: "Bash", subject: "cat -A" }, []],
    [{ name: "", paths: ["a.ts"] }, []],
  ];
  for (const [tool, files] of cases) {
    it(`are ${files.join(", ") || "none"} of ${tool.name} ${tool.subject ?? ""}`, () => {
      expect(filesReadBy(toolCall(0, 1, tool))).toEqual(files);
    });
  }
});

describe("what failed", () => {
  it("is counted by tool, and what a person refused apart from it", () => {
    const { failedTools, refusedTools } = wasteOf(
      stepsOf({
        tools: toolsOf(
          { ...LS, error: "exit code 1" },
          LS,
          { ...LS, isRefused: true, endAt: 25 },
          { ...A, error: "gone" },
        ),
      }),
    );
    const bash = { name: "Bash", calls: 1, stepIds: ["t0"] };
    expect(failedTools).toMatchObject({ calls: 2, ms: 2, names: 2 });
    expect(failedTools.tools[0]).toEqual({
      ...bash,
      ms: 1,
      examples: [{ stepId: "t0", subject: "ls", error: "exit code 1" }],
    });
    expect(refusedTools).toMatchObject({ calls: 1, ms: 5 });
    expect(refusedTools.tools[0]!.examples).toEqual([{ stepId: "t2", subject: "ls", error: "" }]);
  });

  it("has the model calls that failed, with their tokens, and errors by themselves", () => {
    const usage = { inputTokens: 5, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const calls = [modelCall(0, 10, { error: "overloaded", usage }), modelCall(20, 30)];
    expect(wasteOf(stepsOf({ calls, errors: [errorEvent(40)] })).failedModelCalls).toEqual({
      calls: 1,
      errors: 1,
      ms: 30,
      usage,
      stepIds: ["0-10", "error 40"],
    });
  });
});

describe("the sums of what was in vain", () => {
  it("are those over all calls", () => {
    fc.assert(
      fc.property(randomSteps, (steps) => {
        const { repeatedCalls, rereadFiles, failedTools, refusedTools } = wasteOf(steps);
        const { tools } = steps;
        const isEarlier = (call: ToolCall, i: number) =>
          call.inputHash !== undefined &&
          tools.slice(0, i).some(({ name, inputHash }) => name === call.name && inputHash === call.inputHash);
        expect(repeatedCalls.calls).toBe(tools.filter(isEarlier).length);
        expect(repeatedCalls.unchanged).toBe(
          repeatedCalls.groups.reduce((sum, { unchangedStepIds }) => sum + unchangedStepIds.length, 0),
        );
        const reads = tools.filter(({ name, error, isRefused }) => name === "Read" && !error && !isRefused);
        const again = ["a.ts", "b.ts"].map(
          (path) => reads.filter(({ paths }) => paths.includes(path)).length - 1,
        );
        const { unchanged, changed, otherParts, afterCompaction } = rereadFiles;
        expect(unchanged + changed + otherParts).toBe(
          again.reduce((sum, more) => sum + Math.max(0, more), 0),
        );
        expect(afterCompaction).toBeLessThanOrEqual(unchanged + changed + otherParts);
        expect(refusedTools.calls).toBe(tools.filter(({ isRefused }) => isRefused).length);
        expect(failedTools.calls).toBe(tools.filter(({ error, isRefused }) => error && !isRefused).length);
      }),
      { numRuns: runs(1_000), seed: 3 },
    );
  });
});
