import { expect, it } from "vitest";
import { progressLine } from "./progress-line.js";

it("says how many sessions of all were read, and for how long", () => {
  expect(progressLine({ sessions: 300, total: 1_320, elapsedMs: 2_400 })).toBe(
    "Reading the session list: 300 of 1,320 sessions, 2 s\n",
  );
  expect(progressLine({ sessions: 1, total: 2, elapsedMs: 1_000 }, "Claude Code")).toBe(
    "Reading the session list of Claude Code: 1 of 2 sessions, 1 s\n",
  );
});
