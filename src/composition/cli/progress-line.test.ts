import { expect, it } from "vitest";
import { progressLine } from "./progress-line.js";

it("has a count and a rate", () => {
  expect(progressLine({ sessions: 3_000, elapsedMs: 1_500 })).toBe(
    "Reading the session list: 3000 sessions so far, 2000 a second\n",
  );
});
