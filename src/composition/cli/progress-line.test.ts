import { expect, it } from "vitest";
import { progressLine } from "./progress-line.js";

it("says how many sessions of all were read, and for how long", () => {
  expect(progressLine({ sessions: 300, total: 1_320, elapsedMs: 2_400 })).toBe(
    "Reading the session list: 300 of 1,320 sessions, 2 s\n",
  );
});
