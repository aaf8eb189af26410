import { expect, it } from "vitest";
import type { Diagnosis, ErrorOutcomes } from "../../../../src/domain/diagnosis/session-diagnosis.js";
import { diagnosisLines, outcomesOf, verdictOf } from "./diagnosis-lines.js";

const NONE: ErrorOutcomes = { retried: 0, continued: 0, notRecovered: 0, endedTurn: 0, unknown: 0 };
const cause = (stepId: string, outcomes: Partial<ErrorOutcomes>) =>
  ({ first: { stepId }, kind: "tool", outcomes: { ...NONE, ...outcomes } }) as Diagnosis["causes"][number];

it("what went wrong is judged by the worst that came of it", () => {
  const one = cause("a", { retried: 3, notRecovered: 1 });
  expect(verdictOf(one)).toBe("notRecovered");
  expect(outcomesOf(one)).toEqual([
    ["notRecovered", 1],
    ["retried", 3],
  ]);
  expect(verdictOf(cause("b", { continued: 2 }))).toBe("continued");
  expect(verdictOf(cause("c", { retried: 2 }))).toBe("recovered");
});

it("loops come behind what was not recovered from", () => {
  const causes = [cause("a", { endedTurn: 1 }), cause("b", { retried: 1 })];
  const loops = [{ first: { stepId: "c" } }] as unknown as Diagnosis["loops"];
  const lines = diagnosisLines({ errors: 2, causeCount: 2, causes, unlistedErrors: 0, loops });
  expect(lines.map(({ key }) => key)).toEqual(["cause a tool", "loop c", "cause b tool"]);
});
