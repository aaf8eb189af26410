import { describe, expect, it } from "vitest";
import { fileUseOf } from "../../../domain/dialects/file-tools.js";
import { filesOfCall } from "./files-of-call.js";

const filesOf = (name: string, input: unknown) => filesOfCall(fileUseOf(name), input);
const read = (...files: string[]) => ({ read: files, edited: [] });
const edited = (...files: string[]) => ({ read: [], edited: files });

const PATCH = "*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** Add File: b.ts\n+b\n*** End Patch";

describe("the files of a tool call", () => {
  it.each([
    ["Read", { file_path: "a.ts" }, read("a.ts")],
    ["mcp__files__read_multiple_files", { paths: ["a.ts", "b.ts"] }, read("a.ts", "b.ts")],
    ["Bash", { command: "cd /srv/shop && sed -n 1,9p 'a b.ts'" }, read("a b.ts")],
    ["shell", { command: ["bash", "-lc", "cat a.ts"] }, read("a.ts")],
    ["Bash", { command: "cat a.ts | wc -l" }, read()],
    ["Bash", { command: "rm a.ts" }, read()],
    ["Grep", { pattern: "x", path: "src" }, read()],
    ["str_replace_based_edit_tool", { command: "view", path: "a.ts" }, read("a.ts")],
    ["str_replace_based_edit_tool", { command: "insert", path: "a.ts", insert_line: 1 }, edited("a.ts")],
    ["Write", { file_path: "a.ts", content: "" }, edited("a.ts")],
    ["replace", { file_path: "a.ts", old_string: "a", new_string: "b" }, edited("a.ts")],
    ["anything", { path: "a.ts", oldString: "a", newString: "b" }, edited("a.ts")],
    ["apply_patch", PATCH, edited("a.ts", "b.ts")],
    ["exec_command", { cmd: `apply_patch <<'EOF'\n${PATCH}\nEOF` }, edited("a.ts", "b.ts")],
    ["anything", undefined, read()],
  ])("are those that it reads or changes: %s %j", (name, input, files) => {
    expect(filesOf(name, input)).toEqual(files);
  });
});
