import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snippetOf } from "./search-hit.js";

describe("snippetOf", () => {
  it("is the text in one line, with the place of the match", () => {
    const text = "  first\n\tline with  the needle\r\nin it  ";
    const start = text.indexOf("needle");
    const snippet = snippetOf(text, { start, end: start + 6 });
    expect(snippet.text).toBe("first line with the needle in it");
    expect(snippet.text.slice(snippet.start, snippet.end)).toBe("needle");
  });

  it("says where it was cut", () => {
    const snippet = snippetOf(`${"a".repeat(500)}needle${"b".repeat(500)}`, { start: 500, end: 506 });
    expect(snippet.text).toMatch(/^…a+needleb+…$/);
    expect(snippet.text.length).toBeLessThanOrEqual(162);
  });

  it("makes one space of a match that is white space, and none beside it", () => {
    const { text, start, end } = snippetOf("a  \n\n  b", { start: 3, end: 5 });
    expect([text, start, end]).toEqual(["a b", 1, 2]);
  });

  it("is short, marks a part of itself, and cuts no character in halves, whatever the text", () => {
    const unit = fc.constantFrom("\u{1F99C}", "\u{1F99C}", "a", " ", "\n");
    const text = fc.array(unit, { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat({ max: 300 }), (units, at, length) => {
        const from = at % units.length;
        const before = units.slice(0, from).join("");
        const match = units.slice(from, from + 1 + length).join("");
        const text = units.join("");
        const snippet = snippetOf(text, { start: before.length, end: before.length + match.length });
        expect(snippet.text.length).toBeLessThanOrEqual(164);
        expect(snippet.end).toBeGreaterThan(snippet.start);
        expect(snippet.end).toBeLessThanOrEqual(snippet.text.length);
        expect(snippet.text).not.toMatch(/\p{Cs}/u);
        const marked = snippet.text.slice(snippet.start, snippet.end);
        expect(match.replace(/\s+/g, " ").startsWith(marked)).toBe(true);
      }),
    );
  });
});
