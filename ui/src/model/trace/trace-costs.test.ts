import { expect, it } from "vitest";
import { NO_COST } from "../../../../src/domain/usage/money.js";
import { stepDollars } from "./trace-costs.js";

it("what a step cost has as many digits as tell it from others, and says where it is not all", () => {
  const texts = [0, 0.0001, 0.0123, 0.0999, 1234.5].map((usd) => stepDollars({ ...NO_COST, usd }));
  expect(texts).toEqual(["$0.00", "<$0.001", "$0.012", "$0.10", "$1,234.50"]);
  expect(stepDollars({ ...NO_COST, usd: 0.5, unpricedCalls: 1 })).toBe("≥$0.50");
  expect(stepDollars({ ...NO_COST, unpricedCalls: 2 })).toBeUndefined();
});
