import { expect, it } from "vitest";
import { pointLength, stepPath } from "./step-path.js";

const QUARTER = 900_000;

it("goes from step to step, and to the ground between two that do not touch", () => {
  const steps = [
    { x: 0, width: 5, y: 2 },
    { x: 5, width: 5, y: 4 },
    { x: 20, width: 1, y: 1 },
  ];
  expect(stepPath(steps, 9)).toBe("M0.0,9V2.0H5.0V4.0H10.0V9ZM20.0,9V1.0H21.0V9Z");
  expect(stepPath([], 9)).toBe("");
});

it("a point lasts a quarter of an hour, or as many as make two hundred of all", () => {
  expect(pointLength([0, QUARTER, 30 * QUARTER])).toBe(QUARTER);
  expect(pointLength([0, 3 * QUARTER, 399 * QUARTER])).toBe(3 * QUARTER);
  expect(pointLength([7])).toBe(QUARTER);
});
