import { describe, expect, it } from "vitest";
import { contextCalls } from "./context-calls.js";
import { contextSizes, sizesOf } from "./context-messages.js";
import { answerAndResults, readMessage } from "./conversation.js";

const read = (info: object, ...parts: readonly object[]) => readMessage({ info, parts }, 0);

const ANSWER = { id: "m1", role: "assistant", finish: "tool-calls" };
const USED = {
  type: "tool",
  tool: "bash",
  callID: "c1",
  state: { status: "completed", input: { command: "ls" }, output: "a.txt b.txt" },
};

describe("A message of OpenCode", () => {
  it("has its calls and results, by their own ids or by their places", () => {
    const failed = { ...USED, callID: undefined, state: { status: "error", error: "No" } };
    const running = { ...USED, callID: "c3", state: { status: "running", input: {} } };
    expect(read(ANSWER, { type: "step-start" }, USED, failed, running)).toMatchObject({
      role: "assistant",
      answerId: "m1",
      parts: [
        { type: "call", callId: "c1", name: "bash", input: { command: "ls" } },
        { type: "result", callId: "c1", text: "a.txt b.txt", isError: false },
        { type: "call", callId: "m1#1" },
        { type: "result", callId: "m1#1", text: "No", isError: true },
        { type: "call", callId: "c3" },
      ],
    });
  });

  it("has the parts that the model receives, and those of unknown types", () => {
    const image = { type: "file", mime: "image/png", url: "data:image/png;base64,AA" };
    const { parts, origin } = read(
      { role: "user" },
      { type: "text", text: "Look." },
      { type: "text", text: "For the person.", ignored: true },
      { type: "file", mime: "text/plain", url: "file:///a.txt" },
      image,
      { type: "subtask", prompt: "Count." },
      { type: "new" },
    );
    expect(origin).toBe("user");
    expect(parts).toEqual([
      { type: "text", text: "Look." },
      { type: "image", source: image.url },
      { type: "text", text: "Count." },
      { type: "other", value: { type: "new" } },
    ]);
  });

  it.each([
    [{ parts: [] }, "user"],
    [{ info: { role: "assistant" } }, "user"],
    [{ role: "assistant", parts: [USED], info: {} }, "assistant"],
    [{ type: "shell", data: { command: "ls" } }, "user"],
  ])("has another shape than %j", (message, origin) => {
    expect(readMessage(message, 0).origin).toBe(origin);
  });

  it("counts the results in an answer as the tools', of any vendor", () => {
    const call = { id: "c1", name: "bash", args: {}, status: "success" };
    const response = { functionResponse: { response: { output: "a.txt b.txt" } } };
    const gemini = readMessage(
      { type: "gemini", content: "", toolCalls: [{ ...call, result: [response] }] },
      0,
    );
    const prompt = read({ role: "user" }, { type: "text", text: "Look." });
    for (const message of [gemini, read(ANSWER, USED)]) {
      const history = [message, prompt, { ...message, answerId: "m2" }];
      expect(sizesOf([message]).tool).toBe(3);
      expect(contextSizes(history, contextCalls(history)).at(-1)).toMatchObject({ user: 2, tool: 3 });
      expect(answerAndResults(message)).toMatchObject([
        { origin: "assistant", parts: [{ type: "call" }], results: [] },
        { origin: "tool", parts: [{ type: "result" }] },
      ]);
    }
    expect(answerAndResults(prompt)).toEqual([prompt]);
  });
});
