import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonTextOf } from "./json-text-of.js";

/** A value inside a number of arrays and objects. */
function below(depth: number, value: unknown): unknown {
  let nested = value;
  for (let i = 0; i < depth; i++) nested = i % 2 === 0 ? [nested] : { a: 1, b: nested, c: "x" };
  return nested;
}

describe("JSON text", () => {
  it.each([5_000, 100_000])("is written of a value that is nested %d deep", (depth) => {
    const text = jsonTextOf(below(depth, "inside"))!;
    expect(text.match(/[[{]/g)).toHaveLength(depth);
    expect(jsonTextOf(JSON.parse(text))).toBe(text);
  });

  it("is what the platform writes of any value, below any depth", () => {
    const around = jsonTextOf(below(10_000, 0))!;
    const at = around.indexOf("0");
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = jsonTextOf(below(10_000, value))!;
        expect(text).toBe(around.slice(0, at) + JSON.stringify(value) + around.slice(at + 1));
      }),
      { numRuns: 10 },
    );
    const odd = {
      date: new Date(0),
      none: undefined,
      call: () => 1,
      holes: [undefined, () => 1, Number.NaN, ...Array(2), 1],
      ["__proto__"]: { own: 1 },
    };
    const text = jsonTextOf(below(10_000, odd))!;
    expect(text).toBe(around.slice(0, at) + JSON.stringify(odd) + around.slice(at + 1));
    expect(jsonTextOf(undefined)).toBeUndefined();
  });

  it("lacks the members that are left out, however deep they stand", () => {
    const leftOut = new Set(["c"]);
    for (const depth of [10, 10_000]) {
      const text = jsonTextOf(below(depth, { c: 1, d: 2 }), leftOut)!;
      expect(text).not.toContain('"c"');
      expect(text).toBe(jsonTextOf(JSON.parse(text)));
      expect(text).toContain('{"d":2}');
    }
  });

  it("is none of a value that contains itself", () => {
    const loop: unknown[] = [];
    loop.push(below(10_000, loop));
    expect(() => jsonTextOf(loop)).toThrow(TypeError);
  });
});
