import { describe, expect, it } from "vitest";
import { EMPTY_END, followEnvelope, NO_ACTIVITY } from "./session-activity.js";
import { sessionState } from "./session-state.js";

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
  return sessionState([activity], newest, (newest ?? NOON) + minutesLater * MINUTE).status;
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

  it("is running where the next model call of the turn follows an error", () => {
    const events = [{ type: "turn.start" }, { type: "error" }, { type: "llm.start" }];
    expect(statusOf(events)).toBe("running");
    expect(statusOf([...events, { type: "turn.end" }])).toBe("idle");
  });

  it("is idle after a turn that was cancelled: nothing went wrong", () => {
    expect(statusOf([{ type: "turn.start" }, { type: "turn.end", outcome: "cancelled" }])).toBe("idle");
  });

  const asking = { type: "tool.start", toolCallId: "c1", toolName: "AskUserQuestion" };

  it("is waiting from a question until its call ends, for as long as it takes", () => {
    expect(statusOf([{ type: "turn.start" }, asking])).toBe("waiting");
    expect(statusOf([{ type: "turn.start" }, asking], 60 * 24 * 30)).toBe("waiting");
    const other = { type: "tool.end", toolCallId: "c2" };
    expect(statusOf([{ type: "turn.start" }, asking, other], 6)).toBe("waiting");
    expect(statusOf([{ type: "turn.start" }, asking, { type: "tool.end", toolCallId: "c1" }])).toBe(
      "running",
    );
  });

  it.each([
    { type: "llm.start" },
    { type: "tool.start", toolCallId: "c2", toolName: "Bash" },
    { type: "text", role: "user", text: "Yes." },
    { type: "turn.start" },
  ])("is waiting from input.waiting until the agent goes on with %j", (next) => {
    const events = [{ type: "turn.start" }, { type: "input.waiting", prompt: "Deploy it?" }];
    expect(statusOf(events, 60)).toBe("waiting");
    expect(statusOf([...events, next])).toBe("running");
  });

  it.each(["turn.end", "run.end", "session.end"])("waits for nobody behind %s", (type) => {
    expect(statusOf([{ type: "turn.start" }, asking, { type: "input.waiting" }, { type }], 60)).toBe("idle");
  });

  it("waits for a person while another agent, or another trace, goes on", () => {
    const ofAgent = { type: "turn.start", agentId: "a1" };
    expect(
      statusOf([{ type: "turn.start" }, asking, ofAgent, { type: "llm.start", agentId: "a1" }], 60),
    ).toBe("waiting");
    expect(statusOf([{ type: "turn.start" }, asking, { type: "turn.start", trace: "t2" }], 60)).toBe(
      "waiting",
    );
  });

  it("answers what the main agent asked by no call when its next turn begins, on any trace", () => {
    const waiting = [{ type: "turn.start" }, { type: "turn.end" }, { type: "input.waiting", prompt: "Go?" }];
    expect(statusOf(waiting, 60)).toBe("waiting");
    const ofAgent = { type: "turn.start", trace: "t2", agentId: "a1" };
    expect(statusOf([...waiting, ofAgent, { ...ofAgent, type: "turn.end" }])).toBe("waiting");
    expect(statusOf([...waiting, { type: "turn.start", trace: "t2" }])).toBe("running");
  });

  it("is waiting after an error, and error after a question that an error ended", () => {
    expect(statusOf([{ type: "turn.start" }, { type: "error" }, { ...asking, minute: 1 }])).toBe("waiting");
    expect(statusOf([{ type: "turn.start" }, asking, { type: "error", minute: 1 }])).toBe("error");
  });

  it.each([
    { toolName: "shell", input: { timeout_ms: 10 * MINUTE } },
    { toolName: "Bash", input: { timeout: 10 * MINUTE } },
  ])("is running for as long as the open call of %j may take", (call) => {
    const events = [{ type: "turn.start" }, { type: "tool.start", toolCallId: "c1", ...call }];
    expect(statusOf(events, 9)).toBe("running");
    expect(statusOf(events, 10.01)).toBe("idle");
    expect(statusOf([...events, { type: "tool.end", toolCallId: "c1" }], 9)).toBe("idle");
  });

  it.each([{ timeout: 600 }, { timeout_ms: "600000" }, { timeout_ms: -1 }, { timeout_ms: 1e300 }])(
    "believes no length of %j",
    (input) => {
      const events = [
        { type: "turn.start" },
        { type: "tool.start", toolCallId: "c1", toolName: "bash", input },
      ];
      expect(statusOf(events, 5.01)).toBe("idle");
    },
  );

  it("keeps the newest of the calls that never end", () => {
    const many = Array.from({ length: 100 }, (_, i) => ({ ...asking, toolCallId: `c${i}`, minute: i }));
    const { activity } = endOf({ type: "turn.start" }, ...many);
    expect(activity.questions).toHaveLength(20);
    expect(activity.questions?.at(-1)).toMatchObject({ callId: "c99", at: NOON + 99 * MINUTE });
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
    expect(sessionState([failed.activity, succeeded.activity], NOON, NOON).status).toBe("idle");
    expect(sessionState([failed.activity, NO_ACTIVITY], NOON, NOON).status).toBe("error");
  });
});
