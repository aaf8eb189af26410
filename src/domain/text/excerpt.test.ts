import { describe, expect, it } from "vitest";
import { excerptOf, promptBeside } from "./excerpt.js";

describe("an excerpt", () => {
  it("is one line", () => {
    expect(excerptOf("  Add\n\n  a test\tfor it. ")).toBe("Add a test for it.");
  });

  it("is nothing where there is nothing to read", () => {
    expect(excerptOf(" \n\t ")).toBeUndefined();
    expect(excerptOf("")).toBeUndefined();
  });

  it("is the whole text up to 300 code units, and ends with an ellipsis where it was cut", () => {
    const text = "x".repeat(300);
    expect(excerptOf(text)).toBe(text);
    expect(excerptOf(`${text}y`)).toBe(`${"x".repeat(299)}…`);
  });

  it("is never cut within a character", () => {
    expect(excerptOf(`${"x".repeat(298)}😀😀`)).toBe(`${"x".repeat(298)}…`);
    expect(excerptOf("😀".repeat(200))).toBe(`${"😀".repeat(149)}…`);
  });

  it("finds words behind much white space", () => {
    expect(excerptOf(`${"\n".repeat(100_000)}here`)).toBe("here");
  });
});

describe("a prompt beside a title", () => {
  it("is left out where the title says it, or begins with it", () => {
    expect(promptBeside("Fix it", "Fix it")).toBeUndefined();
    expect(promptBeside("Fix it, please", "Fix it")).toBeUndefined();
    expect(promptBeside("Fix \n it", "Fix it")).toBeUndefined();
  });

  it("is shown where the title is another, cut, or missing", () => {
    expect(promptBeside("A title", "Fix it")).toBe("Fix it");
    expect(promptBeside("Fix…", "Fix it")).toBe("Fix it");
    expect(promptBeside(undefined, "Fix it")).toBe("Fix it");
    expect(promptBeside("A title", undefined)).toBeUndefined();
  });
});
