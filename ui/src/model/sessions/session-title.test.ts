import { describe, expect, it } from "vitest";
import { plainText, plainTitle, sessionTitle } from "./session-title.js";

describe("the title of a session", () => {
  it.each([
    [
      "Implement the following plan: # Plan: Add CLI Version to Checkpoints ## A…",
      "Add CLI Version to Checkpoints",
    ],
    [
      "Implement the following plan:\n\n## Update `src/a.ts`\n\nWhy: it is old",
      "Update src/a.ts Why: it is old",
    ],
    ["Please implement this plan: 1. **Move** the ~~old~~ button", "Move the old button"],
    ["# /butler-exec — Execute a ButlerSpec", "/butler-exec — Execute a ButlerSpec"],
    ["> - quoted *and* listed", "quoted and listed"],
    [
      "Update [view.ts](src/view.ts) ![icon](a.png) and [tree.ts](src/comp…",
      "Update view.ts icon and tree.ts",
    ],
    ["<command-name>/init</command-name>", "/init"],
  ])("is plain: %j", (title, plain) => expect(plainTitle(title)).toBe(plain));

  it.each([
    "snake_case_name stays, and 2 * 3 * 4",
    "Plan a birthday",
    "glob **/*.ts and **/*.tsx",
    "__init__.py is missing",
    "C# and issue #12",
    "array[0](x y)",
    "/",
    "Implement the following plan:",
  ])("keeps what only looks like a mark: %j", (title) => expect(plainTitle(title)).toBe(title));

  it("is not what a text is: that keeps its words", () => {
    expect(plainText("## Plan: **all** of it\n\n## And `this`")).toBe("Plan: all of it ## And this");
  });

  it("is none where there is none, or an empty one", () => {
    expect(sessionTitle({})).toBeUndefined();
    expect(sessionTitle({ title: "" })).toBeUndefined();
    expect(sessionTitle({ title: " \n" })).toBeUndefined();
  });

  it("goes on with the first prompt that it is the beginning of", () => {
    const prompt = "Update [a.ts](src/a.ts) and [b.ts](src/b.ts), then **run** the te…";
    expect(sessionTitle({ title: "Update [a.ts](src/a.ts) and [b…", prompt })).toBe(
      "Update a.ts and b.ts, then run the te…",
    );
    expect(sessionTitle({ title: "Update a.ts…", prompt })).toBe("Update a.ts…");
    expect(sessionTitle({ title: "Update", prompt })).toBe("Update");
  });
});
