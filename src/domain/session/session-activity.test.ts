import { describe, expect, it } from "vitest";
import { EMPTY_END, followEnvelope, NO_ACTIVITY, sessionStatus } from "./session-activity.js";

const NOON = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;

interface Recorded {
  readonly type: string;
  readonly minute?: number;
  readonly trace?: string;
  readonly [field: string]: unknown;
}

function endOf(...events: readonly Recorded[]) {
  return events.reduce((end, { minute = 0, trace = "t1", ...event }) => {
    const timestamp = new Date(NOON + minute * MINUTE).toISOString();
    return followEnvelope(end, { timestamp, traceId: trace, event });
  }, EMPTY_END);
}

function statusOf(events: readonly Recorded[], minutesLater = 0) {
  const { activity, newest } = endOf(...events);
  return sessionStatus([activity], newest, (newest ?? NOON) + minutesLater * MINUTE);
}

describe("the status of a session", () => {
  it("is idle where no run or turn was recorded", () => {
    expect(statusOf([])).toBe("idle");
    expect(statusOf([{ type: "session.start" }, { type: "vendor.event" }])).toBe("idle");
  });

  it.each([
    ["turn.start", "turn.end"],
    ["turn_start", "turn_end"],
    ["agent_start", "agent_end"],
    ["run_started", "run_completed"],
  ])("is running between %s and %s, for five minutes", (start, end) => {
    expect(statusOf([{ type: start }])).toBe("running");
    expect(statusOf([{ type: start }], 5)).toBe("running");
    expect(statusOf([{ type: start }], 5.01)).toBe("idle");
    expect(statusOf([{ type: start }, { type: end }])).toBe("idle");
  });

  it("is running while one of two traces is", () => {
    const events = [
      { type: "turn.start", trace: "t1" },
      { type: "turn.start", trace: "t2" },
      { type: "turn.end", trace: "t2" },
    ];
    expect(statusOf(events)).toBe("running");
  });

  it.each([
    { type: "turn.end", outcome: "failed" },
    { type: "turn.end", status: "error" },
    { type: "turn.end", error: { message: "boom" } },
    { type: "turn.end", error: "boom" },
    { type: "turn_end", isError: true },
    { type: "turn.end", stopReason: "error" },
    { type: "turn.end", outcome: "timed_out" },
    { type: "turn.end", status: "timeout" },
    { type: "run_completed", job: { outcome: "timed-out" } },
  ])("is error after a turn that ended with %j", (end) => {
    expect(statusOf([{ type: "turn.start" }, end])).toBe("error");
  });

  it("is error where an error was recorded and the turn did not record that it recovered", () => {
    expect(statusOf([{ type: "turn.start" }, { type: "error", error: { message: "boom" } }])).toBe("error");
    expect(statusOf([{ type: "turn.start" }, { type: "error" }, { type: "turn.end" }])).toBe("error");
    expect(
      statusOf([{ type: "turn.start" }, { type: "error" }, { type: "turn.end", outcome: "completed" }]),
    ).toBe("idle");
  });

  it("is idle after a turn that was cancelled: nothing went wrong", () => {
    expect(statusOf([{ type: "turn.start" }, { type: "turn.end", outcome: "cancelled" }])).toBe("idle");
  });

  it("is not error for ever: the next turn decides", () => {
    const events = [{ type: "turn.end", outcome: "failed" }, { type: "turn.start" }];
    expect(statusOf(events)).toBe("running");
    expect(statusOf([...events, { type: "turn.end" }])).toBe("idle");
  });

  it("is idle once the session has ended, whatever was left open", () => {
    expect(statusOf([{ type: "turn.start" }, { type: "session.end" }])).toBe("idle");
  });

  it("follows the log whose newest event decided", () => {
    const failed = endOf({ type: "turn.end", outcome: "failed", minute: 1 });
    const succeeded = endOf({ type: "run_completed", status: "completed", minute: 2 });
    expect(sessionStatus([failed.activity, succeeded.activity], NOON, NOON)).toBe("idle");
    expect(sessionStatus([failed.activity, NO_ACTIVITY], NOON, NOON)).toBe("error");
  });
});
