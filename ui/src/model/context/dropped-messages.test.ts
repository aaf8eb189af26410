import { describe, expect, it } from "vitest";
import { compareContexts } from "../../../../src/domain/conversation/compare-contexts.js";
import { readMessage } from "../../../../src/domain/conversation/conversation.js";
import { CLEARED_RESULT } from "../../../../src/domain/conversation/conversation-outline.js";
import { droppedMessages } from "./dropped-messages.js";

const call = (id: string, name: string, input: object) => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name, input }],
});
const result = (id: string, content: string) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content }],
});
const read = (...records: readonly object[]) => records.map((record, i) => readMessage({ ...record }, i));

const BEFORE = [
  { role: "user", content: "mend it" },
  call("t1", "Read", { file_path: "a.ts" }),
  result("t1", "a".repeat(400)),
  call("t2", "Edit", { file_path: "a.ts", old_string: "a", new_string: "b" }),
  result("t2", "edited"),
  call("t3", "Bash", { command: "npm test" }),
  result("t3", "F".repeat(900)),
  call("t4", "Grep", { pattern: "sum" }),
  result("t4", "none"),
];
const AFTER = [
  { role: "user", content: "<summary>It is mended.</summary>" },
  call("t5", "Edit", { file_path: "a.ts", old_string: "b", new_string: "c" }),
  result("t5", "edited"),
  call("t6", "Read", { file_path: "a.ts", offset: 1 }),
  result("t6", "a".repeat(380)),
  call("t7", "Bash", { command: "npm test" }),
  result("t7", "ok"),
  call("t8", "Read", { file_path: "a.ts" }),
  result("t8", "a".repeat(400)),
];
const ALL = read(...BEFORE, ...AFTER);

describe("what a compaction dropped", () => {
  const context = ALL.slice(0, BEFORE.length);
  const dropped = droppedMessages(
    compareContexts(context, ALL.slice(BEFORE.length, BEFORE.length + 1)),
    context,
    ALL.slice(BEFORE.length),
  );

  it("is listed by size, with the tool that gave it", () => {
    expect(dropped.messages.slice(0, 2).map(({ size, uses }) => [size, uses[0]?.name])).toEqual([
      [900, "Bash"],
      [400, "Read"],
    ]);
    expect(dropped.messages).toHaveLength(BEFORE.length);
    expect(dropped.size).toBe(context.reduce((sum, { size }) => sum + size, 0));
  });

  it("came again where a file was read again, in another way too, or a tool was called with the same input", () => {
    const again = (name: string) => dropped.messages.find(({ uses }) => uses[0]?.name === name)?.again;
    expect(again("Read")).toMatchObject({ toolCallId: "t8", same: "file", size: 400, messageIndex: 17 });
    expect(again("Bash")).toMatchObject({ toolCallId: "t7", same: "input", size: 2 });
    // It changed the same file, and gave nothing again.
    expect(again("Edit")).toBeUndefined();
    expect(again("Grep")).toBeUndefined();
    expect(dropped.again).toEqual({ calls: 2, size: 402 });
  });
});

it("results that a note stands for are dropped as far as they went; what was seen before is not given again", () => {
  const context = ALL.slice(0, BEFORE.length);
  const cleared = read(...BEFORE.slice(0, 6), result("t3", CLEARED_RESULT), ...BEFORE.slice(7));
  const { messages, size } = droppedMessages(compareContexts(context, cleared), context, context);
  expect(messages).toMatchObject([{ size: 900 - CLEARED_RESULT.length, isCleared: true, again: undefined }]);
  expect(size).toBe(900 - CLEARED_RESULT.length);
});
