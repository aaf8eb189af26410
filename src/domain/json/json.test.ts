import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CUT_OFF, cutDeep, jsonIn, MOST_LEVELS } from "./json.js";

/** JSON text of a value inside a number of arrays and objects. */
function below(levels: number, inmost: string): string {
  let text = inmost;
  for (let i = 0; i < levels; i++) text = i % 2 === 0 ? `[1,${text}]` : `{"a":1,"__proto__":${text}}`;
  return text;
}

describe("A value of JSON", () => {
  it.each([MOST_LEVELS + 1, 10_000])("is cut off below its first levels: of %d", (levels) => {
    const inmost = JSON.stringify(jsonIn(below(levels, "2")));
    expect(inmost.match(/[[{]/g)).toHaveLength(MOST_LEVELS + 1); // one is of the text that stands for the rest
    expect(inmost.split(CUT_OFF)).toHaveLength(2);
  });

  it("is itself where it has no more levels than that, whatever it is", () => {
    const deepest = JSON.parse(below(MOST_LEVELS, '"x"')) as unknown;
    expect(cutDeep(deepest)).toBe(deepest);
    const isSame = fc.property(fc.jsonValue(), (value) => {
      expect(cutDeep(value)).toBe(value);
    });
    fc.assert(isSame);
  });

  it("is not changed where a part of it is cut off", () => {
    const value: unknown = JSON.parse(`{"near":{"b":[]},"far":${below(500, "2")}}`);
    const before = JSON.stringify(value);
    const cut = cutDeep(value) as { near: unknown };
    expect(JSON.stringify(value)).toBe(before);
    expect(cut.near).toBe((value as { near: unknown }).near);
  });
});
