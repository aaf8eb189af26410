import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/soak.js";
import { literalOf } from "./pattern-literal.js";

describe("the text that an expression requires", () => {
  it.each([
    ["foo\\d+", "foo"],
    ["^foo$", "foo"],
    ["a.*longer.b", "longer"],
    ["abc?", "ab"],
    ["abc*d", "ab"],
    ["abc+d", "abc"],
    ["ab{2}c", "a"],
    ["ab{2,}?cd", "cd"],
    ["a{b", "a{b"],
    ["x(foo|bar)yz", "yz"],
    ["(?:foo)ab", "ab"],
    ["src/main\\.ts", "src/main.ts"],
    ["[abc]de", "de"],
    ["[]abc]de", "de"],
    ["[^\\]abc]de", "de"],
    ["[[:alpha:]abc]de", "de"],
    ["\\bfoo\\b", "foo"],
    ["(?s)foo.bar", "foo"],
    ["日本+", "日本"],
    ["a\u{1F99C}?", "a"],
  ])("of %s is %s", (expression, text) => {
    expect(literalOf(expression)).toEqual({ text, isExact: true });
  });

  it.each([
    "foo|bar",
    "(foo)",
    ".*",
    "",
    "\\Qa.b\\E",
    "foo\\x41bar",
    "foo\\pLbar",
    "foo\\101",
    "foo(?i)bar",
    "(foo(?i))bar",
  ])("of %s is not certain", (expression) => {
    expect(literalOf(expression)).toBeUndefined();
  });

  it("is without k, s and what is not ASCII where case is ignored", () => {
    expect(literalOf("(?i)aska?bc")).toEqual({ text: "bc", isExact: false });
    expect(literalOf("(?i)éab")).toEqual({ text: "ab", isExact: false });
    expect(literalOf("(?is)hello.")).toEqual({ text: "hello", isExact: false });
  });

  it("stands in whatever the expression finds", () => {
    const parts = fc.array(
      fc.constantFrom(
        ..."abcs()[]{}|*+?.^$\\-:,2",
        "(?:",
        "(?i)",
        "\\d",
        "\\.",
        "{2}",
        "[^a]",
        "[[:digit:]]",
      ),
      { maxLength: 9 },
    );
    const haystack = fc.array(fc.constantFrom(..."aABbcCsS.2-:{}"), { maxLength: 14 });
    const property = fc.property(parts, haystack, (pieces, letters) => {
      const literal = literalOf(pieces.join(""));
      const found = foundIn(pieces.join(""), letters.join(""));
      if (literal === undefined || found === undefined) return;
      const { text, isExact } = literal;
      expect(isExact ? found : found.toLowerCase()).toContain(isExact ? text : text.toLowerCase());
    });
    fc.assert(property, { numRuns: runs(20_000) });
  });
});

/** What JavaScript finds, where it reads the expression as RE2 does. */
function foundIn(expression: string, text: string): string | undefined {
  const flags = /^\(\?i\)/.exec(expression);
  const rest = flags === null ? expression : expression.slice(4);
  if (/\[\^?\]|\[:/.test(rest)) return undefined;
  try {
    return new RegExp(rest, flags === null ? "" : "i").exec(text)?.[0];
  } catch {
    return undefined;
  }
}
