import { describe, expect, it } from "vitest";
import { CompareSessions } from "../../src/application/questions/compare-sessions.js";
import type { StepComparison } from "../../src/domain/compare/step-comparison.js";
import {
  assistantRecord,
  lines,
  newProjects,
  openHistories,
  userRecord,
} from "../claude-code/support/projects.js";

const IDS = ["aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"] as const;

interface Run {
  readonly directory: string;
  /** Ids of vendors and processes: they differ in each run. */
  readonly id: string;
  /** Seconds. */
  readonly later?: number;
  readonly file?: string;
  readonly result?: string;
}

function run({ directory, id, later = 0, file = "cart.ts", result = "export {}" }: Run): string {
  const call = (number: number, second: number, name: string, input: object) =>
    assistantRecord(number, second + later, `m${number}-${id}`, [
      { type: "tool_use", id: `toolu_${number}${id}`, name, input },
    ]);
  const answered = (number: number, second: number, of: number, content: string) =>
    userRecord(number, second + later, [{ type: "tool_result", tool_use_id: `toolu_${of}${id}`, content }]);
  return lines(
    userRecord(1, later, `<system-reminder>\nYou are in ${directory}, run ${id}.\n</system-reminder>`, {
      cwd: directory,
    }),
    userRecord(2, later, `Mend the cart in ${directory}`),
    call(3, 2, "Bash", { command: `cd ${directory} && npm test -- --run ${1_768_467_600 + later}` }),
    answered(
      4,
      5,
      3,
      `1 failed in 1.${later + 1}s, 2026-03-01T10:00:0${later % 10}Z, see ${directory}/out.log`,
    ),
    call(5, 7, "Read", { file_path: `${directory}/${file}` }),
    answered(6, 8, 5, result),
    assistantRecord(7, 10 + later, `m7-${id}`, [{ type: "text", text: "Done." }]),
  );
}

async function steps(a: Run, b: Run, rows: { readonly row?: number; readonly limit?: number } = {}) {
  const root = await newProjects({ [`-one/${IDS[0]}.jsonl`]: run(a), [`-two/${IDS[1]}.jsonl`]: run(b) });
  const { difference, steps } = await new CompareSessions(openHistories(root)).execute({
    sessions: [
      { tenantId: "-one", sessionId: IDS[0] },
      { tenantId: "-two", sessionId: IDS[1] },
    ],
    ...rows,
  });
  return { difference, steps };
}

const ONE: Run = { directory: "/home/ada/run-1", id: "01Ab" };
const OTHER: Run = { directory: "/srv/jobs/b", id: "99Zz", later: 7 };

const shown = ({ rows }: StepComparison) =>
  rows.map(({ relation, sides: [a, b] }) => `${relation} ${(a ?? b)!.toolName ?? (a ?? b)!.kind}`);

describe("the steps of two runs in different folders", () => {
  it("are the same where only ids, instants, the folder and what was put in differ", async () => {
    const { difference, steps: found } = await steps(ONE, OTHER);
    expect(difference).toBeNull();
    expect(shown(found)).toEqual(["same prompt", "same Bash", "same Read", "same answer"]);
    expect(found).toMatchObject({ counts: [4, 4], same: 4, divergenceCount: 0, divergences: [] });
  });

  it("differ where something else is asked for, or comes back", async () => {
    const asked = await steps(ONE, { ...OTHER, file: "total.ts" });
    expect(asked.difference).toMatchObject({ kind: "argument", sides: [{ toolName: "Read" }, {}] });
    expect(shown(asked.steps)).toEqual(["same prompt", "same Bash", "changed Read", "same answer"]);
    expect(asked.steps.rows[2]).toMatchObject({
      differs: ["text"],
      sides: [{ text: '{"file_path":"cart.ts"}' }, { text: '{"file_path":"total.ts"}' }],
    });
    const gave = await steps(ONE, { ...OTHER, result: "No such file" });
    expect(gave.steps.rows[2]).toMatchObject({
      relation: "changed",
      differs: ["result"],
      sides: [{ result: "export {}" }, { result: "No such file" }],
    });
    expect(gave.steps.divergences).toMatchObject([{ row: 2, rows: 1 }]);
  });

  it("take the time of the model and of its tools, and none twice", async () => {
    const { steps: found } = await steps(ONE, OTHER);
    const { rows, used } = found;
    const ms = rows.map(({ sides: [a] }) => a!.ms);
    expect(ms.reduce((sum, one) => sum + one, 0)).toBe(used[0].ms);
    expect(rows.at(-1)!.until).toEqual(used);
    expect(ms[1]).toBeGreaterThanOrEqual(3_000);
    expect(used[0].ms).toBeLessThanOrEqual(10_000);
    expect(rows[1]!.sides[0]).toMatchObject({ messageIndex: 2, stepId: expect.any(String) });
  });

  it("are given in parts", async () => {
    const { steps: found } = await steps(ONE, OTHER, { row: 1, limit: 2 });
    expect(shown(found)).toEqual(["same Bash", "same Read"]);
    expect(found.rowCount).toBe(4);
    expect((await steps(ONE, OTHER, { row: 9 })).steps.rows).toEqual([]);
  });
});
