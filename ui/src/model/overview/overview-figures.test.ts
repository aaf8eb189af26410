import { expect, it } from "vitest";
import { changeText, formatShare, pointsText, pricedDollars } from "./overview-figures.js";

it("rounds a share, but never to all or to nothing", () => {
  expect([0, 0.0004, 0.0321, 0.5, 0.9996, 1].map(formatShare)).toEqual([
    "0%",
    "<0.1%",
    "3.2%",
    "50%",
    "99.9%",
    "100%",
  ]);
});

it("says by how much something changed, and nothing where there was nothing before", () => {
  expect([changeText(110, 100), changeText(80, 100), changeText(2000, 100), changeText(1, 0)]).toEqual([
    "+10%",
    "−20%",
    "×20",
    undefined,
  ]);
  expect([pointsText(0.05, 0.02), pointsText(0.02, 0.02), pointsText(undefined, 1)]).toEqual([
    "+3 pts",
    "±0 pts",
    undefined,
  ]);
});

it("never says $0 of what has no price, and ≥ where a part has none", () => {
  const cost = { usd: 0, recordedUsd: 0, unpricedCalls: 2, unpricedTokens: 10 };
  expect([pricedDollars(cost), pricedDollars({ ...cost, usd: 1 })]).toEqual([undefined, "≥$1.00"]);
});
