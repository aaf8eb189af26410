import { describe, expect, it } from "vitest";
import type { LiveState } from "../../../../src/domain/session/session.js";
import { readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import { stepOfState } from "../../model/live/state-step.js";
import { traceModel } from "../../model/trace/trace-model.js";
import { sessionLabel } from "./session-label.js";

const SECOND = 1_000;
const START = Date.UTC(2026, 0, 15);
const timeAt = (second: number) => new Date(START + second * SECOND).toISOString();

const itemOf = (state: LiveState) => ({ state, status: "idle" as const, lastActive: timeAt(60) });

describe("the state of a session in its header", () => {
  it.each([
    [{ kind: "stalled", since: timeAt(60) }, "Stalled for 12m 00s"],
    [{ kind: "running", since: timeAt(30) }, "Running for 12m 30s"],
    [{ kind: "waiting", since: timeAt(60) }, "Waiting for 12m 00s"],
    [{ kind: "looping", since: timeAt(0), times: 5 }, "Looping ×5"],
    [{ kind: "failed", since: timeAt(60) }, "Failed 12m ago"],
    [{ kind: "stopped" }, "Stopped 12m ago"],
    [{ kind: "done" }, "Done 12m ago"],
    [{ kind: "idle" }, "Idle for 12m 00s"],
  ] as const)("of %j is: %s", (state, label) => {
    expect(sessionLabel(itemOf(state), START + 780 * SECOND)).toBe(label);
  });

  it("has the word alone where no plausible instant is recorded", () => {
    expect(sessionLabel({ status: "error", lastActive: "" }, 0)).toBe("Failed");
  });

  it("leads to the open call, the question, the turn or the failure", () => {
    const events = [
      [0, { type: "turn.start", turnIndex: 0 }],
      [1, { type: "tool.start", id: "c1", toolName: "Bash" }],
      [2, { type: "input.waiting", prompt: "Deploy it?" }],
      [3, { type: "turn.end", turnIndex: 0, outcome: "failed" }],
    ] as const;
    const facts = events.map(([second, event], i) =>
      readEventFacts({ id: `e${i}`, timestamp: timeAt(second), event }, i, 0),
    );
    const { spans } = traceModel(facts, new Set());
    const stepOf = (state: LiveState) => stepOfState(spans, itemOf(state));
    expect(stepOf({ kind: "stalled", since: timeAt(1), toolCallId: "c1" })).toBe("e1");
    expect(stepOf({ kind: "waiting", since: timeAt(2) })).toBe("e2");
    expect(stepOf({ kind: "running", since: timeAt(0) })).toBe("e0");
    expect(stepOf({ kind: "failed", since: timeAt(3) })).toBe("e0");
    expect(stepOf({ kind: "idle" })).toBeUndefined();
    expect(stepOf({ kind: "stalled", since: timeAt(1), toolCallId: "c9" })).toBeUndefined();
  });
});
