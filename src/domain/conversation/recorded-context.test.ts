import { describe, expect, it } from "vitest";
import { recordedContext } from "./recorded-context.js";

const messages = [{ role: "user", content: "hello" }];
const start = (members: object) => ({ type: "llm.start", callId: "c", ...members });

describe("the context that is recorded on a model call", () => {
  it.each([
    ["messages", start({ messages })],
    ["context", start({ context: messages })],
    ["input", start({ input: messages })],
    ["prompt", start({ prompt: messages })],
    ["gen_ai.input.messages", start({ "gen_ai.input.messages": messages })],
    ["gen_ai.input.messages", start({ "gen_ai.input.messages": JSON.stringify(messages) })],
    ["request", start({ request: { model: "m", messages } })],
    ["attributes", start({ attributes: { "gen_ai.input.messages": JSON.stringify(messages) } })],
    ["gen_ai.input.messages", { type: "llm.end", "gen_ai.input.messages": messages }],
  ])("is found in %s", (member, event) => {
    expect(recordedContext([event])).toEqual({ messages, members: [member] });
  });

  it("begins with the instructions beside it", () => {
    const system = [{ type: "text", content: "be brief" }];
    const attributes = {
      "gen_ai.system_instructions": JSON.stringify(system),
      "gen_ai.input.messages": messages,
    };
    const first = { role: "system", content: system };
    expect(recordedContext([start({ attributes })])?.messages).toEqual([first, ...messages]);
    expect(recordedContext([start({ system: "be brief", messages })])).toEqual({
      messages: [{ role: "system", content: "be brief" }, ...messages],
      members: ["system", "messages"],
    });
    const systemInstruction = { parts: [{ text: "be brief" }] };
    const gemini = start({ request: { contents: [{ role: "user", parts: [] }], systemInstruction } });
    expect(recordedContext([gemini])?.messages[0]).toEqual({ role: "system", ...systemInstruction });
  });

  it("keeps what in it is no message", () => {
    expect(recordedContext([start({ messages: [...messages, 5] })])?.messages).toEqual([
      ...messages,
      { value: 5 },
    ]);
  });

  it("is nothing else that a call says", () => {
    expect(recordedContext([])).toBeUndefined();
    for (const event of [
      start({ input: "a text", messages: [], context: { folder: "/" } }),
      start({ input: [{ type: "text", text: "a block" }] }),
      start({ prompt: "[not JSON" }),
      // It may be the answer.
      { type: "llm.end", messages },
    ])
      expect(recordedContext([event])).toBeUndefined();
  });
});
