import { expect, it } from "vitest";
import { axisValues } from "./axis-values.js";

it.each([
  [87, 0, [0, 25, 50, 75, 100]],
  [3, 1, [0, 1, 2, 3]],
  [9, 1, [0, 5, 10]],
  [0.012, 0, [0, 0.005, 0.01, 0.015]],
  [0, 0, [0]],
])("has round values on an axis up to %d", (highest, least, values) => {
  expect(axisValues(highest, least).map((value) => Number(value.toFixed(6)))).toEqual(values);
});
