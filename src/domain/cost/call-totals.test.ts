import { expect, it } from "vitest";
import type { ModelCall } from "../steps/session-steps.js";
import { NO_USAGE } from "../usage/token-usage.js";
import { CallSum, costOfCall } from "./call-totals.js";

const RATES = { input: 1, output: 10, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };

function call(outputTokens: number, answerSize: number, recordedUsd?: number): ModelCall {
  const usage = { ...NO_USAGE, inputTokens: 10, outputTokens };
  return { at: 0, endAt: 1, usage, answerSize, recordedUsd } as ModelCall;
}

it("says of calls whose output count is a placeholder that they cost more, unless their cost is recorded", () => {
  const sum = new CallSum();
  for (const one of [call(2, 5_000), call(2, 5), call(1_200, 5_000), call(2, 5_000, 0.5)])
    sum.add(one, costOfCall(one, RATES));
  const { placeholderCalls, cost } = sum.result();
  expect(placeholderCalls).toBe(2);
  expect(cost).toMatchObject({ unpricedCalls: 0, placeholderCalls: 1 });
});
