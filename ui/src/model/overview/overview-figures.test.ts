import { expect, it } from "vitest";
import { changeText, pointsText } from "./overview-figures.js";

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
