import { describe, expect, it } from "vitest";
import { conversationEntries, readMessage } from "../../../../src/domain/conversation/conversation.js";
import type { ConversationOutline } from "../../../../src/domain/conversation/conversation-outline.js";
import { readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import { traceModel } from "../trace/trace-model.js";
import { answerIds, entrySpans, namedSpans } from "./conversation-spans.js";
import { turnAt, turnOutline } from "./turn-outline.js";

type Event = readonly [type: string, fields: object];

/** A turn of the trace: its model calls by the ids of their answers, its tool calls by theirs. */
function traced(turnIndex: number, answers: readonly string[], tools: readonly string[] = []): Event[] {
  return [
    ["turn.start", { turnIndex }],
    ...answers.flatMap((callId): Event[] => [
      ["llm.start", { callId }],
      ["llm.end", { callId }],
    ]),
    ...tools.flatMap((toolCallId): Event[] => [
      ["tool.start", { toolCallId, toolName: "Bash" }],
      ["tool.end", { toolCallId }],
    ]),
    ["turn.end", { turnIndex }],
  ];
}

const prompt = (content: string) => ({ role: "user", content });
const answer = (content: string, id?: string) => ({ role: "assistant", content, ...(id && { id }) });
const called = (id: string) => ({ role: "assistant", content: [{ type: "tool_use", id, name: "Bash" }] });

/** The turns of a conversation: the place of the first entry of each, and the index of its turn in the trace. */
function turns(events: readonly Event[], messages: readonly object[], outline?: ConversationOutline) {
  const facts = events.map(([type, fields], sequence) => {
    const timestamp = new Date(sequence * 1000).toISOString();
    return readEventFacts(
      { id: `e${sequence}`, sequence, timestamp, event: { type, ...fields } },
      sequence,
      0,
    );
  });
  const read = messages.map((message, index) => readMessage({ ...message }, index));
  const entries = conversationEntries(read);
  const named = namedSpans(traceModel(facts, new Set()).roots, "");
  const { rows: spans } = entrySpans(entries, answerIds(read, outline), named);
  const origins = entries.map(({ origin }) => origin);
  return turnOutline(origins, spans, named.turns).map(({ entry, span }) => [entry, span?.start.key]);
}

describe("the turns of a conversation", () => {
  it("begin with the prompts, and are found in the trace by the ids of model calls and of tool calls", () => {
    const events = [...traced(7, ["m1"]), ...traced(8, [], ["t1"])];
    expect(turns(events, [prompt("One?"), answer("One.", "m1"), prompt("Two?"), called("t1")])).toEqual([
      [0, "7"],
      [2, "8"],
    ]);
  });

  it("are found by where the history says that their model calls lie", () => {
    const outline = { calls: [{ callId: "c1", at: 3 }], removals: [] };
    const events = [...traced(0, ["c0"]), ...traced(1, ["c1"])];
    const messages = [prompt("One?"), answer("One."), prompt("Two?"), answer("Two.")];
    expect(turns(events, messages, outline)).toEqual([
      [0, "0"],
      [2, "1"],
    ]);
  });

  it("hold the prompts that came in the middle of them", () => {
    const messages = [
      prompt("One?"),
      answer("a", "m1"),
      prompt("And?"),
      answer("?"),
      prompt("Also."),
      answer("b", "m2"),
    ];
    expect(turns(traced(0, ["m1", "m2"]), messages)).toEqual([[0, "0"]]);
  });

  it("begin without a prompt where the trace says that nobody asked", () => {
    const events = [...traced(0, ["m1"]), ...traced(1, ["m2"])];
    expect(turns(events, [prompt("One?"), answer("One.", "m1"), answer("By the way.", "m2")])).toEqual([
      [0, "0"],
      [2, "1"],
    ]);
  });

  it("without any call are found by their order, if there is one way to find them", () => {
    const messages = [
      prompt("One?"),
      answer("1"),
      prompt("Two?"),
      answer("2", "m2"),
      prompt("Three?"),
      answer("3"),
    ];
    expect(turns([...traced(0, []), ...traced(1, ["m2"]), ...traced(2, [])], messages)).toEqual([
      [0, "0"],
      [2, "1"],
      [4, "2"],
    ]);
    expect(turns([...traced(1, ["m2"]), ...traced(2, []), ...traced(3, [])], messages)).toEqual([
      [0, undefined],
      [2, "1"],
      [4, undefined],
    ]);
  });

  it("hold notes on how they ended, which nobody answers and the trace has as no turn", () => {
    const messages = [prompt("One?"), answer("1", "m1"), prompt("[interrupted]")];
    expect(turns(traced(0, ["m1"]), messages)).toEqual([[0, "0"]]);
    expect(turns([...traced(0, ["m1"]), ...traced(1, [])], messages)).toEqual([
      [0, "0"],
      [2, "1"],
    ]);
    expect(turns(traced(0, ["m1"]), [...messages, answer("Yes?")])).toHaveLength(2);
  });

  it("are those of the prompts where the trace has none", () => {
    expect(turns([], [answer("Hello."), prompt("One?"), prompt("?"), answer("1"), prompt("Two?")])).toEqual([
      [1, undefined],
      [4, undefined],
    ]);
  });

  it("are found by an entry of theirs", () => {
    expect([0, 1, 3, 4, 9].map((entry) => turnAt([1, 4], entry))).toEqual([-1, 0, 0, 1, 1]);
    expect(turnAt([], 3)).toBe(-1);
  });
});
