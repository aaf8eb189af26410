import { describe, expect, it } from "vitest";
import { outcomeOf, outcomeOfWord } from "./outcome.js";

describe("outcomeOfWord", () => {
  it.each(["error", "errored", "failed", "failure", "timed_out", "timed-out", "timeout"])(
    "takes %s for a failure",
    (word) => expect(outcomeOfWord(word)).toBe("failed"),
  );

  it.each(["ok", "success", "succeeded", "completed", "complete", "done"])("takes %s for a success", (word) =>
    expect(outcomeOfWord(word)).toBe("succeeded"),
  );

  it.each(["cancelled", "aborted", "tool_use", "", "constructor"])("takes %j for neither", (word) =>
    expect(outcomeOfWord(word)).toBeUndefined(),
  );
});

describe("outcomeOf", () => {
  it.each([
    { isError: true },
    { success: false },
    { error: "boom" },
    { error: { message: "boom" } },
    // The JSON form of an Error.
    { error: {} },
    { status: "error" },
    { outcome: "timed_out" },
    { stopReason: "error" },
    { reason: "failed" },
    { job: { outcome: "timed-out" } },
    { job: { error: "boom" } },
    { status: "completed", outcome: "failed" },
  ])("takes %j for a failure", (event) => expect(outcomeOf(event)).toBe("failed"));

  it.each([{ isError: false }, { success: true }, { outcome: "completed" }, { job: { outcome: "done" } }])(
    "takes %j for a success",
    (event) => expect(outcomeOf(event)).toBe("succeeded"),
  );

  it.each([
    {},
    { isError: true, refused: true },
    { outcome: "cancelled" },
    { error: "" },
    { error: null },
    { stopReason: "end_turn" },
  ])("takes %j for neither", (event) => expect(outcomeOf(event)).toBeUndefined());
});
