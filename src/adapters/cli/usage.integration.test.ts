import { describe, expect, it } from "vitest";
import { homeFolder, run } from "../../../test/support/command-line.js";

describe("a filter that is none", () => {
  it.each([
    ["list", []],
    ["usage", []],
    ["search", ["apples"]],
  ] as const)("ends %s with its place, the nearest name and exit code 2", async (command, query) => {
    await homeFolder();
    const { stdout, stderr, code } = await run(command, ...query, "--filter", "cost:>1 tol:search");
    expect([stdout, stderr, code]).toEqual([
      "",
      'error: --filter: There is no field "tol". Is it "tool"?\n  cost:>1 tol:search\n          ^^^\n',
      2,
    ]);
  });

  it("is shown around what is wrong, and without what a terminal would take for more", async () => {
    await homeFolder();
    const { stderr } = await run(
      "list",
      "--filter",
      `${"words ".repeat(50)}\u001b[2Jx\u202e status:idel ${"b".repeat(300)}`,
    );
    const [, text = "", marks = ""] = stderr.split("\n");
    expect(text.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1)).toBe("idel");
    expect(text).toContain("\\u{1b}[2Jx\\u{202e}");
    expect(text.length).toBeLessThan(200);
  });
});
