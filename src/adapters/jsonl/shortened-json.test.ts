import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ShortenedJson } from "./shortened-json.js";

const encoder = new TextEncoder();

function shorten(text: string, piece: number): unknown {
  const shortened = new ShortenedJson();
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += piece) {
    shortened.push(bytes, at, Math.min(bytes.length, at + piece));
  }
  return shortened.parse();
}

describe("ShortenedJson", () => {
  it("leaves a text with short strings as it is, in whatever pieces it comes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 40 }), (value, piece) => {
        const text = JSON.stringify(value);
        expect(shorten(text, piece)).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it("cuts long strings, and says how much is missing", () => {
    const unit = fc.constantFrom("x", '"', "\\", "é", "\u{1f600}", "\n");
    fc.assert(
      fc.property(unit, fc.integer({ min: 5_000, max: 9_000 }), fc.nat(9_000), (character, count, piece) => {
        const long = character.repeat(count);
        const text = JSON.stringify({ before: [1, { a: long }], after: "end" });
        const result = shorten(text, piece + 1) as { before: [number, { a: string }]; after: string };
        const cut = / … (\d+) bytes more$/.exec(result.before[1].a);
        const kept = result.before[1].a.slice(0, cut!.index);
        expect(long.startsWith(kept)).toBe(true);
        expect(encoder.encode(JSON.stringify(kept)).length - 2 + Number(cut![1])).toBe(
          encoder.encode(JSON.stringify(long)).length - 2,
        );
        expect(result.after).toBe("end");
      }),
      { numRuns: 60 },
    );
  });

  it("gives nothing for what is no JSON, or is long without its strings", () => {
    expect(shorten('{"a":', 100)).toBeUndefined();
    expect(shorten(JSON.stringify(Array(400_000).fill(1234)), 65_536)).toBeUndefined();
  });

  it("starts anew after a reset", () => {
    const shortened = new ShortenedJson();
    shortened.push(encoder.encode('{"a":"b'), 0, 7);
    shortened.reset();
    shortened.push(encoder.encode("[1]"), 0, 3);
    expect(shortened.parse()).toStrictEqual([1]);
  });
});
