import { describe, expect, it } from "vitest";
import { readMessage } from "./conversation.js";

describe("A message of a session of Pi", () => {
  it.each([
    [
      { role: "toolResult", toolCallId: "c1", content: [{ type: "text", text: "a" }], isError: true },
      "tool",
      [{ type: "result", callId: "c1", text: "a", images: [], isError: true }],
    ],
    [{ type: "compaction", summary: "S", firstKeptEntryId: "e" }, "summary", [{ type: "text", text: "S" }]],
    [{ type: "branch_summary", summary: "B", fromId: "e" }, "summary", [{ type: "text", text: "B" }]],
    [{ type: "custom_message", customType: "x", content: "N" }, "system", [{ type: "text", text: "N" }]],
    [{ role: "hookMessage", customType: "x", content: "N" }, "system", [{ type: "text", text: "N" }]],
    [{ role: "bashExecution", command: "ls", output: "a\n" }, "user", [{ type: "text", text: "! ls\na" }]],
    [
      { role: "system", content: "", sections: { rules: "Be short.", cwd: "/work" } },
      "system",
      [{ type: "text", text: "Be short.\n\n/work" }],
    ],
  ])("is read as what it is: %j", (message, origin, parts) => {
    expect(readMessage(message, 0)).toMatchObject({ origin, parts });
  });

  it.each([
    { role: "custom", content: "N" },
    { role: "system", content: "Be short." },
    { type: "compaction", replacement_history: [] },
    { role: "bashExecution" },
  ])("is that of another vendor where it has not what Pi writes: %j", (message) => {
    expect(readMessage(message, 0).origin).not.toBe("tool");
    expect(readMessage(message, 0).parts).not.toContainEqual(expect.objectContaining({ text: "undefined" }));
  });
});
