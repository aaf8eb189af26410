import { expect, it } from "vitest";
import { NO_USAGE } from "../../../domain/usage/token-usage.js";
import { CumulativeUsage } from "./usage.js";

const used = (inputTokens: number, outputTokens = 0) => ({ ...NO_USAGE, inputTokens, outputTokens });

it("counts what totals grew by, and repeated totals once", () => {
  const usage = new CumulativeUsage();
  expect(usage.since(used(100, 5), used(100, 5))).toEqual(used(100, 5));
  expect(usage.since(used(100, 5), used(100, 5))).toBeUndefined();
  expect(usage.since(used(300, 9), used(200, 4))).toEqual(used(200, 4));
});

it("begins again with lower totals, and with totals that are those of the last call alone", () => {
  const usage = new CumulativeUsage();
  usage.goOnFrom(used(100));
  expect(usage.since(used(40), undefined)).toEqual(used(40));
  expect(usage.since(used(220), used(220))).toEqual(used(220));
  expect(usage.since(used(230), undefined)).toEqual(used(10));
});
