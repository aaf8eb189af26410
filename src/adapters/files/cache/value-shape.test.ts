import { describe, expect, it } from "vitest";
import { ACTIVITY_SHAPE, fits } from "./value-shape.js";

describe("what is kept of a session's runs", () => {
  const stored = { open: ["t1 turn"], failed: false };
  const key = { traceId: "t1", agentId: "", callId: "c1" };

  it("is read with open calls, without any, and with none that are no calls", () => {
    expect(fits(stored, ACTIVITY_SHAPE)).toBe(true);
    expect(
      fits({ ...stored, questions: [{ ...key, question: "?", at: 5 }, key], calls: [] }, ACTIVITY_SHAPE),
    ).toBe(true);
    for (const candidate of [null, "?", [null], [{ ...key, callId: 7 }], [{ ...key, question: {} }]]) {
      expect(fits({ ...stored, questions: candidate }, ACTIVITY_SHAPE)).toBe(false);
    }
    const call = { ...key, toolName: "Bash", at: 5 };
    expect(fits({ ...stored, calls: [call, { ...call, until: 6, input: 7 }] }, ACTIVITY_SHAPE)).toBe(true);
    expect(fits({ ...stored, calls: [{ ...call, until: 9e15 }] }, ACTIVITY_SHAPE)).toBe(false);
    expect(fits({ ...stored, series: [{ ...call, times: 4 }] }, ACTIVITY_SHAPE)).toBe(false);
  });
});
