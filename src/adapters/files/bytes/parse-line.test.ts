import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/soak.js";
import { parseShortened } from "./parse-line.js";

const encoder = new TextEncoder();

/** Anywhere in memory: nothing may be read beside the text. */
function shorten(text: string): unknown {
  const bytes = encoder.encode(`"${text}"`);
  return parseShortened(bytes, 1, bytes.length - 1);
}

describe("parseShortened", () => {
  it("leaves a text with short strings as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(shorten(text)).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it("cuts long strings, and adds how much is missing", () => {
    const unit = fc.constantFrom("x", '"', "\\", "é", "\u{1f600}", "\n");
    fc.assert(
      fc.property(unit, fc.integer({ min: 5_000, max: 9_000 }), (character, count) => {
        const long = character.repeat(count);
        const text = JSON.stringify({ before: [1, { a: long }], after: "end" });
        const result = shorten(text) as { before: [number, { a: string }]; after: string };
        const cut = / … (\d+) bytes more$/.exec(result.before[1].a);
        const retained = result.before[1].a.slice(0, cut!.index);
        expect(long.startsWith(retained)).toBe(true);
        expect(encoder.encode(JSON.stringify(retained)).length - 2 + Number(cut![1])).toBe(
          encoder.encode(JSON.stringify(long)).length - 2,
        );
        expect(result.after).toBe("end");
      }),
      { numRuns: runs(60) },
    );
  });

  it("gives nothing for what is no JSON, or is long without its strings", () => {
    expect(shorten('{"a":')).toBeUndefined();
    expect(shorten(JSON.stringify(Array(400_000).fill(1234)))).toBeUndefined();
  });
});
