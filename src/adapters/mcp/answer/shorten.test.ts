import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/soak.js";
import { fitted, SHORTEST, shortenable, shortened } from "./shorten.js";

const MOST = 25_000;

/** Returns a value of nested lists with this depth. */
function nested(depth: number): unknown {
  let value: unknown = "the innermost";
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

describe("a value that is shortened", () => {
  it("counts what was left out of a text, a list and an object", () => {
    const members = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`m${i}`, i]));
    const value = { text: "x".repeat(1_000), list: [1, 2, 3, 4, 5], members };
    expect(shortened(value, 40)).toEqual({
      text: `${"x".repeat(40)}…[+960 characters]`,
      list: [1, 2, 3, "…[+2 elements]"],
      members: { ...Object.fromEntries(Object.entries(members).slice(0, 16)), "…[+4 members]": null },
    });
  });

  it("keeps a text that its mark would make longer", () => {
    expect(shortened("x".repeat(50), 40)).toBe("x".repeat(50));
  });

  it("cuts no character in halves", () => {
    expect(shortened(`${"x".repeat(39)}😀${"y".repeat(100)}`, 40)).toBe(
      `${"x".repeat(39)}…[+102 characters]`,
    );
  });

  it("has a name of its own for each member, also for one that objects have anyway", () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as object;
    expect(JSON.stringify(shortened(value, 40))).toBe(JSON.stringify(value));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("ends where it is nested too deep to be of use", () => {
    expect(JSON.stringify(shortened(nested(5_000), 40))).toBe(
      `${"[".repeat(12)}"…[nested deeper]"${"]".repeat(12)}`,
    );
  });
});

describe("values that share the room of an answer", () => {
  it("stay whole where there is room", () => {
    const values = [{ a: 1 }, { b: "two" }];
    expect(
      fitted(
        values.map((value) => shortenable(value, MOST)),
        MOST,
      ),
    ).toEqual(values.map((value) => JSON.stringify(value)));
  });

  it("stay whole where they are short, and leave their room to those that are long", () => {
    const short = Array.from({ length: 9 }, (_, i) => ({ i }));
    const texts = fitted(
      [...short, { text: "x".repeat(1_000_000) }].map((value) => shortenable(value, MOST)),
      MOST,
    );
    expect(texts.slice(0, 9)).toEqual(short.map((value) => JSON.stringify(value)));
    expect(texts[9]!.length).toBeGreaterThan(12_000);
    expect(texts[9]).toContain("…[+980000 characters]");
  });

  it("show the beginning of their JSON where they are too many small parts", () => {
    const value = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`"${i}"`, nested(6)] as const));
    const [text = ""] = fitted([shortenable({ value, list: Array(16).fill(value) }, MOST)], SHORTEST);
    expect(text.length).toBeLessThanOrEqual(SHORTEST);
    expect(text).toMatch(/^\{"beginningOfJson":"\{\\"value\\":.*…\[\+\d+ characters\]"\}$/);
  });

  it("are cut where they are nested too deep, and as long as they are", () => {
    const deep = shortenable(nested(10_000), MOST);
    expect(deep.length).toBe(2 * 10_000 + '"the innermost"'.length);
    expect(fitted([deep], SHORTEST)).toEqual([JSON.stringify(shortened(nested(100), 40))]);
  });

  it("take no more than that, whatever they hold, and stay JSON", () => {
    const json = fc.array(fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }), { maxLength: 50 });
    const bulk = fc.array(
      fc
        .record({ text: fc.string({ unit: "binary" }), times: fc.nat(2_000) })
        .map(({ text, times }) => ({ output: text.repeat(times), list: Array(times).fill(text) })),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(fc.oneof(json, bulk), fc.integer({ min: 0, max: 15_000 }), (values, more) => {
        const most = values.length * SHORTEST + more;
        const texts = fitted(
          values.map((value) => shortenable(value, MOST)),
          most,
        );
        expect(texts.join("").length).toBeLessThanOrEqual(most);
        for (const text of texts) JSON.parse(text);
      }),
      { numRuns: runs(100) },
    );
  });
});
