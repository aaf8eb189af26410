import { expect, it } from "vitest";
import { wasteOf } from "../diagnosis/waste.js";
import { SessionAnalysis } from "./session-analysis.js";

function finished<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

it("takes an error that came again for the same result, though there is no output", () => {
  const analysis = new SessionAnalysis();
  const add = (event: object) => analysis.addEnvelope({ id: "e", traceId: "main", event: { ...event } }, 100);
  for (let i = 0; i < 40; i++) {
    add({ type: "tool.start", toolCallId: `t${i}`, toolName: "Bash", input: { command: "npm test" } });
    add({
      type: "tool.end",
      toolCallId: `t${i}`,
      error: { message: i === 39 ? "another" : "no such script" },
    });
  }
  const { groups } = wasteOf(finished(analysis.steps())).repeatedCalls;
  expect(groups).toMatchObject([{ times: 40, unchanged: 38, inARow: 40 }]);
});
