import { describe, expect, it } from "vitest";
import { callSubject, MAX_SUBJECT } from "./subject.js";
import { subjectLine } from "./subject-line.js";

const lineOf = (input: unknown, directory = "/shop") =>
  subjectLine(
    callSubject(input, () => "otherwise"),
    directory,
  );
const PATCH = [
  "*** Begin Patch",
  "*** Update File: /shop/src/a.ts",
  "@@",
  "-a",
  "+b",
  "*** Add File: src/b.ts",
  "+x",
  "*** Delete File: src/c.ts",
  "*** End Patch",
].join("\n");

describe("what a tool call is about", () => {
  const cases: readonly (readonly [about: string, input: unknown, text: string])[] = [
    ["a file", { file_path: "/shop/src/a.ts", old_string: "x", new_string: "y" }, "src/a.ts"],
    ["a file by another name", { absolute_path: "/shop/src/a.ts" }, "src/a.ts"],
    ["several files", { paths: ["/shop/a.ts", "/shop/b.ts", "c.ts"] }, "a.ts +2"],
    ["a search in a folder", { pattern: "needle", path: "/shop/src" }, "needle · src"],
    ["a search everywhere", { pattern: "**/*.ts" }, "**/*.ts"],
    ["a command", { command: "npm test", description: "Test" }, "npm test"],
    ["a command elsewhere", { command: "cd /shop/ui && npm test", timeout: 5 }, "npm test"],
    ["a change of folder alone", { command: "cd /shop/ui" }, "cd ui"],
    ["a command after several changes", { command: "cd /a && cd 'b c'; ls" }, "ls"],
    ["arguments", { command: ["rg", "-n", "needle"] }, "rg -n needle"],
    [
      "arguments of a shell",
      { command: ["bash", "-lc", "cd /shop && rg needle /shop/src"] },
      "rg needle src",
    ],
    ["a text for a shell", { cmd: "/bin/zsh -lc 'git status'" }, "git status"],
    ["a word beside a path", { command: "view", path: "/shop/a.ts" }, "view · a.ts"],
    ["a patch", PATCH, "src/a.ts +2"],
    ["a patch in a member", { input: PATCH }, "src/a.ts +2"],
    ["a patch as an argument", { command: ["apply_patch", PATCH] }, "src/a.ts +2"],
    [
      "a patch for a shell",
      { command: ["bash", "-lc", `apply_patch <<'EOF'\n${PATCH}\nEOF`] },
      "src/a.ts +2",
    ],
    ["a script that runs a command", 'await tools.run({"cmd":"git \\"x\\"","n":1})', 'git "x"'],
    ["a script with a patch", `apply(${JSON.stringify(PATCH)})`, "src/a.ts +2"],
    ["an address", { url: "https://example.com", prompt: "Read it" }, "https://example.com"],
    ["a task", { description: "Find it", prompt: "Look" }, "Find it"],
    ["something else", { left: 1 }, "otherwise"],
    ["nothing", undefined, "otherwise"],
    ["an empty command", { command: " ", file_path: "" }, "otherwise"],
  ];
  for (const [about, input, text] of cases) {
    it(`is ${about}`, () => expect(lineOf(input).text).toBe(text));
  }

  it("tells where the name of the file begins", () => {
    const { text, nameAt } = lineOf({ pattern: "needle", path: "/elsewhere/src/a.ts" });
    expect(text.slice(nameAt)).toBe("a.ts");
    expect(lineOf({ command: "ls" }).nameAt).toBe(-1);
  });

  it("is whole in the tooltip", () => {
    expect(lineOf({ command: "cd /shop && ls" }).full).toBe("cd /shop && ls");
    expect(lineOf(PATCH).full).toBe("/shop/src/a.ts\nsrc/b.ts\nsrc/c.ts");
  });

  it("is bounded, however long the input is", () => {
    const { text, full } = lineOf({ command: "x ".repeat(1_000_000) });
    expect(text.length).toBeLessThan(200);
    expect(full).toHaveLength(MAX_SUBJECT);
    const many = Array.from({ length: 5000 }, (_, i) => `${i}`);
    const { pathCount, paths } = callSubject({ paths: many }, () => "");
    expect([pathCount, paths.length]).toEqual([5000, 10]);
  });
});
