import { expect, it } from "vitest";
import { stepPath } from "./step-path.js";

it("goes from step to step, and to the ground between two that do not touch", () => {
  const steps = [
    { x: 0, width: 5, y: 2 },
    { x: 5, width: 5, y: 4 },
    { x: 20, width: 1, y: 1 },
  ];
  expect(stepPath(steps, 9)).toBe("M0.0,9V2.0H5.0V4.0H10.0V9ZM20.0,9V1.0H21.0V9Z");
  expect(stepPath([], 9)).toBe("");
});
