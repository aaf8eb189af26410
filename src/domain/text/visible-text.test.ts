import { describe, expect, it } from "vitest";
import { visibleJson, visibleLines, visibleText } from "./visible-text.js";

describe("A text that is quoted", () => {
  it.each([
    ["a\u001b[31mred\u0007\u0000\u007f", "a\\u{1b}[31mred\\u{7}\\u{0}\\u{7f}"],
    ["\u009b2J", "\\u{9b}2J"],
    ["line\r\nline\tcolumn", "line\\u{d}\\u{a}line\\u{9}column"],
    ["abc\u202e\u2066fed\u2069\u200f\u061c", "abc\\u{202e}\\u{2066}fed\\u{2069}\\u{200f}\\u{61c}"],
    ["a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["no\u200bwidth\u2060\ufeff\u00ad", "no\\u{200b}width\\u{2060}\\u{feff}\\u{ad}"],
    ["\u{e0001}\u{e0041}", "\\u{e0001}\\u{e0041}"],
  ])("shows what is hidden in %j", (text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  it.each(["plain", "grüße, 日本語, עברית, می‌خواهم", "👩‍💻 ❤️", "\ufffd", ""])(
    "leaves %j as it is",
    (text) => {
      for (const visible of [visibleText, visibleLines, visibleJson]) expect(visible(text)).toBe(text);
    },
  );

  it("keeps line feeds and tabs where lines are quoted", () => {
    expect(visibleLines("a\n\tb\r\n\u001b")).toBe("a\n\tb\\u{d}\n\\u{1b}");
  });

  it("means the same as JSON", () => {
    const value = { "\u202e": "\u001b\u009b\u{e0041}\u200b", text: "日本" };
    const json = visibleJson(JSON.stringify(value));
    expect(json).toBe('{"\\u202e":"\\u001b\\u009b\\udb40\\udc41\\u200b","text":"日本"}');
    expect(JSON.parse(json)).toEqual(value);
  });
});
