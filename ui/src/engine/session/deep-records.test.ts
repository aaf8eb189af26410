import { describe, expect, it } from "vitest";
import { CUT_OFF } from "../../../../src/domain/json/json.js";
import { imagesOfEnvelopes } from "../messages/displayed-images.js";
import { MessageStore } from "../messages/message-store.js";
import { traceQuery } from "../trace/trace-protocol.js";
import { TraceStore } from "../trace/trace-store.js";

const DEPTH = 10_000;
const DEEP = `${"[".repeat(DEPTH)}"image"${"]".repeat(DEPTH)}`;

const event = (index: number, type: string, more: string) =>
  `{"id":"e${index}","timestamp":"2026-01-01T00:00:0${index}.000Z","sequence":${index},"event":{"type":"${type}",${more}}}`;

const TRACE = [
  event(0, "llm.start", `"callId":"c","input":[{"role":"user","content":${DEEP}}]`),
  event(1, "llm.end", `"callId":"c","output":${DEEP}`),
  event(2, "tool.start", `"toolCallId":"t","toolName":"look","input":${DEEP}`),
  event(3, "tool.end", `"toolCallId":"t","output":${DEEP},"isError":true`),
];

const MESSAGES = [
  `{"role":"user","content":[${DEEP}]}`,
  `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"look","input":${DEEP}}]}`,
  `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[${DEEP}]}]}`,
];

/** Checks that the value can be sent to the page. */
const isSent = (value: unknown) => expect(structuredClone(value)).toEqual(value);

describe("Records that are nested 10,000 deep", () => {
  it("are rows of a trace, with details that are cut off, and copied whole", () => {
    const store = new TraceStore(
      "http://host",
      traceQuery({}),
      new AbortController().signal,
      () => undefined,
    );
    store.update(TRACE, new Set());
    expect(store.rows(0, 9)).toMatchObject([{ kind: "llm" }, { kind: "tool", name: "look" }]);
    isSent(store.rows(0, 9));
    for (const id of ["e0", "e2"]) {
      const detail = store.detail(id);
      expect(detail).toMatchObject({ modelCall: "e0" });
      expect(JSON.stringify(detail)).toContain(CUT_OFF);
      isSent(detail);
      expect(store.text(id)).toContain(DEEP);
      expect(imagesOfEnvelopes(store.text(id))).toEqual([]);
    }
    expect(JSON.stringify(store.toolCall("e2"))).toContain(CUT_OFF);
    expect(store.recorded.modelCalls("")).toHaveLength(1);
  });

  it("are entries of a conversation, and copied whole", async () => {
    const store = new MessageStore();
    await store.update(MESSAGES);
    expect(store.entries(0, 9)).toMatchObject([{ type: "other" }, { type: "call", name: "look" }]);
    isSent(store.entries(0, 9));
    expect(store.fullText(0, "part")).toContain(CUT_OFF);
    expect(store.fullText(1, "result")).toContain(CUT_OFF);
    expect(store.messageJson(0)).toBe(MESSAGES[0]);
  });
});
