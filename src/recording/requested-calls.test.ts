import { describe, expect, it } from "vitest";
import { RequestedCalls } from "./requested-calls.js";

const asking = (...ids: string[]) => [
  {
    role: "assistant",
    content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "look", input: { id: 1 } })),
  },
];
const failed = (...ids: string[]) => [
  {
    role: "tool",
    content: ids.map((toolCallId) => ({
      type: "tool-result",
      toolCallId,
      output: { type: "error-text", value: "no such tool" },
    })),
  },
];
const ids = (calls: readonly { readonly toolCallId: string }[]) => calls.map(({ toolCallId }) => toolCallId);

describe("the calls that a model asked for", () => {
  it("are taken once, where the model is told that they failed and no tool started", () => {
    const requested = new RequestedCalls();
    requested.ask(asking("a", "b", "c"));
    requested.start("a");
    expect(requested.takeFailed(failed("a", "b", "x"))).toEqual([
      { toolCallId: "b", toolName: "look", input: { id: 1 }, message: "no such tool" },
    ]);
    expect(ids(requested.takeFailed(failed("a", "b", "c")))).toEqual(["c"]);
    expect(requested.takeFailed(failed("a", "b", "c"))).toEqual([]);
  });

  it("may start before the answer that asks for them has ended", () => {
    const requested = new RequestedCalls();
    requested.start("a");
    requested.ask(asking("a", "b"));
    expect(ids(requested.takeFailed(failed("a", "b")))).toEqual(["b"]);
  });

  it("are not told apart where a tool does not say which call it is", () => {
    const requested = new RequestedCalls();
    requested.ask(asking("a"));
    requested.start(undefined);
    expect(requested.takeFailed(failed("a"))).toEqual([]);
  });
});
