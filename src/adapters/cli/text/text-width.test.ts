import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleText } from "../../../domain/text/visible-text.js";
import { inColumns } from "./table.js";
import { cutEnd, cutMiddle, widthOf, wrapped } from "./text-width.js";

describe("The width of a text in a terminal", () => {
  it.each([
    ["abc", 3],
    ["", 0],
    ["é e\u0301", 3],
    ["日本語", 6],
    ["ｱ ａ 한글", 9],
    ["👩\u200d👩\u200d👧", 2],
    ["🇩🇪🇯🇵", 4],
    ["❤\ufe0f ⚡ ✓", 7],
    ["1\ufe0f\u20e3", 2],
    ["\u001b[1mbold\u001b[22m", 4],
    ["\\u{202e}", 8],
  ])("of %j is %d", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

const TEXT = fc
  .array(fc.constantFrom("a", "bc", " ", "日", "e\u0301", "👩\u200d👧", "❤\ufe0f", "\u202e", "\u001b", "한"))
  .map((parts) => visibleText(parts.join("")));

describe("A text that is cut", () => {
  it("fits, begins and ends as before, and has an ellipsis where something is missing", () => {
    fc.assert(
      fc.property(TEXT, fc.integer({ min: 1, max: 30 }), (text, width) => {
        for (const cut of [cutEnd, cutMiddle]) {
          const result = cut(text, width);
          expect(widthOf(result)).toBeLessThanOrEqual(width);
          if (widthOf(text) <= width) {
            expect(result).toBe(text);
            continue;
          }
          const [head = "", tail = "", ...more] = result.split("…");
          expect([text.startsWith(head), text.endsWith(tail), more]).toEqual([true, true, []]);
          // No escape is cut.
          expect(result.replace(/\\u\{[\da-f]+\}/g, "")).not.toContain("\\");
        }
      }),
    );
  });

  it("retains as much as there is room for", () => {
    expect([cutEnd("日本語", 5), cutEnd("日本語", 4), cutEnd("abcdef", 4)]).toEqual(["日本…", "日…", "abc…"]);
    expect([cutMiddle("abcdef", 5), cutMiddle("日本語abc", 6)]).toEqual(["ab…ef", "日…bc"]);
  });
});

describe("A text that is wrapped", () => {
  it("has the same words in lines that fit, as long as the words do", () => {
    fc.assert(
      fc.property(fc.array(TEXT), fc.integer({ min: 20, max: 40 }), (texts, width) => {
        const text = texts.join(" ");
        const words = (one: string) => one.split(/\s+/).filter(Boolean);
        const result = wrapped(text, width);
        expect(words(result)).toEqual(words(text));
        for (const line of result.split("\n")) if (widthOf(line) > width) expect(words(line)).toHaveLength(1);
      }),
    );
  });

  it("indents what is below the first line further than that", () => {
    expect(wrapped("a\n  one two three four\nb", 12)).toBe("a\n  one two\n      three\n      four\nb");
  });
});

describe("A table", () => {
  const rows = [
    ["NAME", "COUNT", "TITLE"],
    ["日本語-name", "1,000", "The first title of all"],
    ["b", "2", "👩\u200d👧 two"],
  ];
  const columns = [
    { least: 4, cut: cutMiddle },
    { isNumber: true, drop: 2 },
    { least: 6, drop: 1 },
  ];

  it("has columns that stand one below the other, also with wide characters", () => {
    expect(inColumns(rows, columns)).toEqual([
      "NAME         COUNT  TITLE                 ",
      "日本語-name  1,000  The first title of all",
      "b                2  👩\u200d👧 two                ",
    ]);
  });

  it("cuts what may be cut, and drops columns, until it fits", () => {
    for (let width = 4; width < 60; width++)
      for (const line of inColumns(rows, columns, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(inColumns(rows, columns, 30).map((line) => line.trimEnd())).toEqual([
      "NAME         COUNT  TITLE",
      "日本語-name  1,000  The first…",
      "b                2  👩\u200d👧 two",
    ]);
    expect(inColumns(rows, columns, 14)[1]).toBe("日…me   The f…");
    expect(inColumns(rows, columns, 8)[1]).toBe("日本…ame");
  });

  it("has no width where there are no rows", () => {
    expect(inColumns([], columns, 10)).toEqual([]);
  });
});
