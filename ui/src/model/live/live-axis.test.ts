import { describe, expect, it } from "vitest";
import { positionOf, timeAxis } from "../charts/time-axis.js";
import { formatRunning, isOnAxis, liveAxis, runsFor } from "./live-axis.js";

const HOUR = 3_600_000;

describe("the axis of a session that goes on", () => {
  const { segments } = timeAxis(0, 10_000, []);

  it("ends now, where a call is open", () => {
    const live = liveAxis(segments, 40_000, undefined, true, true);
    expect([live[0]!.from, live.at(-1)!.to, live.at(-1)!.folded]).toEqual([0, 40_000, false]);
    expect(positionOf({ segments: live }, 40_000)).toBe(1);
    expect(positionOf({ segments: live }, 10_000)).toBeCloseTo(0.25);
  });

  it("folds the time since the last event, where nothing is open and pauses are folded", () => {
    const folded = (isWorking: boolean, foldsGaps: boolean) =>
      liveAxis(segments, HOUR, undefined, isWorking, foldsGaps).some((segment) => segment.folded);
    expect([folded(false, true), folded(true, true), folded(false, false)]).toEqual([true, false, false]);
  });

  it("stays as it is without a present, before it, and where a reader has zoomed in", () => {
    for (const [now, until] of [
      [undefined, undefined],
      [9_000, undefined],
      [40_000, 10_000],
    ] as const)
      expect(liveAxis(segments, now, until, true, true)).toBe(segments);
    expect([isOnAxis({ segments }, 40_000), isOnAxis({ segments }, 10_000)]).toEqual([false, true]);
  });
});

describe("what has not ended", () => {
  it("runs until now in a session that goes on, also where nothing came after its start", () => {
    expect(runsFor({ at: 1000, durationMs: 0, state: "open" }, 31_000)).toBe(30_000);
    expect(runsFor({ at: 1000, durationMs: 0, state: "open" }, undefined)).toBe(0);
    expect(runsFor({ at: 1000, durationMs: 500, state: "done" }, 31_000)).toBe(500);
    // The clock of the agent's machine is ahead.
    expect(runsFor({ at: 1000, durationMs: 500, state: "open" }, 900)).toBe(500);
  });

  it("has a duration of whole seconds", () => {
    expect([0, 59_900, 65_900, 2 * HOUR + 61_000, 25 * HOUR].map(formatRunning)).toEqual([
      "0s",
      "59s",
      "1m 05s",
      "2h 01m",
      "1d 1h",
    ]);
  });
});
