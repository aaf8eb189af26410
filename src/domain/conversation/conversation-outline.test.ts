import { describe, expect, it } from "vitest";
import { knownCalls } from "./call-matches.js";
import { contextCalls, isCompacted } from "./context-calls.js";
import { contextLengths, contextOf, contextSizes } from "./context-messages.js";
import { readMessage } from "./conversation.js";
import {
  CLEARED_RESULT,
  type ContextRemoval,
  type ConversationOutline,
  outlineBetween,
} from "./conversation-outline.js";

const said = (role: string, content: unknown, index: number) => readMessage({ role, content }, index);
const result = (id: string, index: number) =>
  said("user", [{ type: "tool_result", tool_use_id: id, content: "x".repeat(400) }], index);

/** A question, its answer, and so on: with results of tools at the second and the third place of four. */
const messages = [
  said("user", "q0", 0),
  said("assistant", "a1", 1),
  result("t1", 2),
  said("assistant", "a3", 3),
  said("user", "q4", 4),
  said("assistant", "a5", 5),
  said("user", "q6", 6),
  said("assistant", "a7", 7),
];
const calls = [1, 3, 5, 7].map((at) => ({ callId: `c${at}`, at }));
const seenWith = (removals: readonly ContextRemoval[], outlined: ConversationOutline["calls"] = calls) => {
  const found = contextCalls(messages, { calls: outlined, removals });
  return found.map((call) => contextOf(messages, call).map(({ index }) => index));
};

describe("what is known of a conversation beside its messages", () => {
  it("takes messages back from the calls behind, and from those alone", () => {
    expect(seenWith([{ at: 6, cause: "rewind", messages: [[4, 6]] }])).toEqual([
      [0],
      [0, 1, 2],
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 6],
    ]);
  });

  it("takes away what was taken back before, too, and behind the last message", () => {
    const removals: ContextRemoval[] = [
      { at: 6, cause: "rewind", messages: [[4, 6]] },
      { at: 6, cause: "rewind", messages: [[2, 6]] },
      { at: 8, cause: "rewind", messages: [[0, 8]] },
    ];
    expect(seenWith(removals).at(-1)).toEqual([0, 1, 6]);
    const aborted = [...calls, { callId: "aborted", at: 8 }];
    expect(seenWith(removals, aborted).at(-1)).toEqual([]);
  });

  it("takes no answer for a call whose own place takes it away, and says of which it is recorded what they were sent", () => {
    const removals: ContextRemoval[] = [{ at: 5, cause: "request", messages: [[5, 6]] }];
    const outlined = [...calls.slice(0, 2), { callId: "c7", at: 7, isRecorded: true }];
    const found = contextCalls(messages, { calls: outlined, removals });
    expect(found.map(({ to, isRecorded }) => [to, isRecorded])).toEqual([
      [1, false],
      [3, false],
      [7, true],
    ]);
    expect(isCompacted(found[2]!)).toBe(false);
  });

  it("shows all that is seen in another order, and what follows", () => {
    const removals: ContextRemoval[] = [
      {
        at: 6,
        cause: "compaction",
        messages: [],
        seen: [
          [4, 6],
          [1, 3],
        ],
      },
      { at: 7, cause: "request", messages: [[5, 6]] },
    ];
    expect(seenWith(removals).at(-1)).toEqual([4, 1, 2, 6]);
  });

  it("leaves what a compaction preserved", () => {
    const removal: ContextRemoval = {
      at: 6,
      cause: "compaction",
      messages: [
        [0, 3],
        [4, 6],
      ],
    };
    expect(seenWith([removal]).at(-1)).toEqual([3, 6]);
    const found = contextCalls(messages, { calls, removals: [removal] });
    expect(found.map(isCompacted)).toEqual([false, false, false, true]);
    expect(found.at(-1)!.removals).toEqual([removal]);
  });

  it("clears results of tools, in texts and in sizes", () => {
    const removals: ContextRemoval[] = [
      { at: 4, cause: "micro-compaction", messages: [], toolCallIds: ["t1"] },
    ];
    const found = contextCalls(messages, { calls, removals });
    const texts = found.map((call) => contextOf(messages, call)[2]?.parts[0]);
    expect(texts.map((part) => part?.type === "result" && part.text)).toEqual([
      false,
      "x".repeat(400),
      CLEARED_RESULT,
      CLEARED_RESULT,
    ]);
    const sizes = contextSizes(messages, found).map(({ tool }) => tool);
    expect(sizes).toEqual([0, 100, 9, 9]);
    expect(contextLengths(messages, found)).toEqual([1, 3, 5, 7]);
  });

  it("knows calls that have no answer, and joins all by their ids", () => {
    const outlined = [calls[0]!, { callId: "aborted", at: 3 }, ...calls.slice(1)];
    const found = contextCalls(messages, { calls: outlined, removals: [] });
    expect(found.map(({ answerId, to, answerEnd }) => [answerId, to, answerEnd])).toEqual([
      ["c1", 1, 2],
      ["aborted", 3, 3],
      ["c3", 3, 4],
      ["c5", 5, 6],
      ["c7", 7, 8],
    ]);
    const traced = ["c1", "aborted", "c3", "c5", "c7", "c9"].map((messageId) => {
      return { spanId: `span ${messageId}`, at: 0, tokens: undefined, messageId };
    });
    const { known, unseen } = knownCalls(found, traced, () => false);
    expect(known.map(({ call, traced }) => [call?.answerId, traced?.spanId])).toEqual(
      found.map(({ answerId }) => [answerId, `span ${answerId}`]),
    );
    expect(unseen).toBe(1);
  });

  it("is cut into windows", () => {
    const removals: ContextRemoval[] = [{ at: 4, cause: "rewind", messages: [[2, 4]] }];
    const outline = { calls, removals };
    expect(outlineBetween(outline, 0, 4)).toEqual({ calls: calls.slice(0, 2), removals: [] });
    expect(outlineBetween(outline, 4, 8)).toEqual({ calls: calls.slice(2), removals });
  });
});
