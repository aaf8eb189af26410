import { describe, expect, it } from "vitest";
import { matchCalls } from "./call-matches.js";
import { contextCalls, isCompacted } from "./context-calls.js";
import { contextLengths, contextOf, contextSizes } from "./context-messages.js";
import { readMessage } from "./conversation.js";
import {
  CLEARED_RESULT,
  type ContextRemoval,
  type ConversationOutline,
  outlineBetween,
} from "./conversation-outline.js";

const message = (role: string, content: unknown, index: number) => readMessage({ role, content }, index);
const result = (id: string, index: number) =>
  message("user", [{ type: "tool_result", tool_use_id: id, content: "x".repeat(400) }], index);

/** A question, its answer, and so on: with results of tools at the second and the third place of four. */
const messages = [
  message("user", "q0", 0),
  message("assistant", "a1", 1),
  result("t1", 2),
  message("assistant", "a3", 3),
  message("user", "q4", 4),
  message("assistant", "a5", 5),
  message("user", "q6", 6),
  message("assistant", "a7", 7),
];
const calls = [1, 3, 5, 7].map((at) => ({ callId: `c${at}`, at }));
const contextsWith = (
  removals: readonly ContextRemoval[],
  outlined: ConversationOutline["calls"] = calls,
) => {
  const matches = contextCalls(messages, { calls: outlined, removals });
  return matches.map((call) => contextOf(messages, call).map(({ index }) => index));
};

describe("what is known of a conversation beside its messages", () => {
  it("takes messages back from the calls behind, and from those alone", () => {
    expect(contextsWith([{ at: 6, cause: "rewind", messages: [[4, 6]] }])).toEqual([
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
    expect(contextsWith(removals).at(-1)).toEqual([0, 1, 6]);
    const aborted = [...calls, { callId: "aborted", at: 8 }];
    expect(contextsWith(removals, aborted).at(-1)).toEqual([]);
  });

  it("takes no answer for a call whose own place takes it away, and says of which it is recorded what they were sent", () => {
    const removals: ContextRemoval[] = [{ at: 5, cause: "request", messages: [[5, 6]] }];
    const outlined = [...calls.slice(0, 2), { callId: "c7", at: 7, isRecorded: true }];
    const matches = contextCalls(messages, { calls: outlined, removals });
    expect(matches.map(({ to, isRecorded }) => [to, isRecorded])).toEqual([
      [1, false],
      [3, false],
      [7, true],
    ]);
    expect(isCompacted(matches[2]!)).toBe(false);
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
    expect(contextsWith(removals).at(-1)).toEqual([4, 1, 2, 6]);
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
    expect(contextsWith([removal]).at(-1)).toEqual([3, 6]);
    const matches = contextCalls(messages, { calls, removals: [removal] });
    expect(matches.map(isCompacted)).toEqual([false, false, false, true]);
    expect(matches.at(-1)!.removals).toEqual([removal]);
  });

  it("clears results of tools, in texts and in sizes", () => {
    const removals: ContextRemoval[] = [
      { at: 4, cause: "micro-compaction", messages: [], toolCallIds: ["t1"] },
    ];
    const matches = contextCalls(messages, { calls, removals });
    const texts = matches.map((call) => contextOf(messages, call)[2]?.parts[0]);
    expect(texts.map((part) => part?.type === "result" && part.text)).toEqual([
      false,
      "x".repeat(400),
      CLEARED_RESULT,
      CLEARED_RESULT,
    ]);
    const sizes = contextSizes(messages, matches).map(({ tool }) => tool);
    expect(sizes).toEqual([0, 100, 9, 9]);
    expect(contextLengths(messages, matches)).toEqual([1, 3, 5, 7]);
  });

  it("knows calls that have no answer, and joins all by their ids", () => {
    const outlined = [calls[0]!, { callId: "aborted", at: 3 }, ...calls.slice(1)];
    const matches = contextCalls(messages, { calls: outlined, removals: [] });
    expect(matches.map(({ answerId, to, answerEnd }) => [answerId, to, answerEnd])).toEqual([
      ["c1", 1, 2],
      ["aborted", 3, 3],
      ["c3", 3, 4],
      ["c5", 5, 6],
      ["c7", 7, 8],
    ]);
    const traced = ["c1", "aborted", "c3", "c5", "c7", "c9"].map((messageId) => {
      return { spanId: `span ${messageId}`, at: 0, tokens: undefined, messageId };
    });
    const { matches: existing, unseen } = matchCalls(matches, traced, () => false);
    expect(existing.map(({ call, traced }) => [call?.answerId, traced?.spanId])).toEqual(
      matches.map(({ answerId }) => [answerId, `span ${answerId}`]),
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
