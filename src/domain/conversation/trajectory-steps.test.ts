import { describe, expect, it } from "vitest";
import { messageParts, readMessage } from "./conversation.js";
import { callsOfStep } from "./trajectory-steps.js";

const call = (id: string | undefined, name: string) => ({
  tool_call_id: id,
  function_name: name,
  arguments: { of: name },
});

describe("a step of a trajectory as a message", () => {
  it("is of the assistant where an agent took it, with thoughts, words, calls and results", () => {
    const step = {
      step_id: 2,
      source: "agent",
      message: "Looking.",
      reasoning_content: "Where is it?",
      tool_calls: [call("a", "ls"), call("b", "cat")],
      observation: {
        results: [
          { source_call_id: "b", content: [{ type: "text", text: "B" }] },
          { source_call_id: "a", content: "A" },
        ],
      },
    };
    expect(readMessage(step, 0).role).toBe("assistant");
    expect(messageParts(step)).toEqual([
      { type: "thinking", text: "Where is it?" },
      { type: "text", text: "Looking." },
      { type: "call", callId: "a", name: "ls", input: { of: "ls" } },
      { type: "call", callId: "b", name: "cat", input: { of: "cat" } },
      { type: "result", callId: "a", text: "A", images: [], isError: false },
      { type: "result", callId: "b", text: "B", images: [], isError: false },
    ]);
  });

  it("gives results without names to the calls in their order, where there are as many", () => {
    const two = { step_id: 1, source: "agent", tool_calls: [call("a", "ls"), call(undefined, "cat")] };
    const results = [{ content: "A" }, { content: "B" }];
    expect(
      callsOfStep({ ...two, observation: { results } }).calls.map(({ toolCallId, results: [one] }) => [
        toolCallId,
        one?.content,
      ]),
    ).toEqual([
      ["a", "A"],
      ["step 1#1", "B"],
    ]);
    const { calls, loose } = callsOfStep({
      ...two,
      observation: { results: [...results, { content: "C" }] },
    });
    expect([calls.flatMap((one) => one.results), loose.length]).toEqual([[], 3]);
  });

  it("keeps what has odd types, and is no step without a source", () => {
    const odd = {
      step_id: 1,
      source: "agent",
      message: 5,
      tool_calls: [5, "x"],
      observation: { results: "none" },
    };
    expect(messageParts(odd)).toEqual([{ type: "other", value: 5 }]);
    expect(messageParts({ step_id: 1, content: "words" })).toEqual([{ type: "text", text: "words" }]);
  });
});
