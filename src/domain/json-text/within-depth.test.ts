import { describe, expect, it } from "vitest";
import { recordIn, withinDepth } from "./within-depth.js";

const nested = (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`;

describe("A value within a depth", () => {
  it("is the value itself where nothing in it is nested deep", () => {
    const value: unknown = JSON.parse(`{"__proto__":{"own":1},"a":${nested(199)},"b":[null,1]}`);
    expect(withinDepth(value)).toBe(value);
  });

  it.each([200, 100_000])("has what lies deeper than 200 levels as its JSON text: %d levels", (depth) => {
    const members = Object.entries(recordIn(`{"x":1,"__proto__":${nested(depth)}}`));
    expect(members.map(([name]) => name)).toEqual(["x", "__proto__"]);
    let at = members[1]![1];
    for (let level = 1; level < 200; level++) at = (at as readonly unknown[])[0];
    expect(at).toBe(nested(depth - 199));
  });

  it("is a record, also where it is no object", () => {
    expect(recordIn('{"a":null}')).toEqual({ a: null });
    expect(recordIn("[1]")).toEqual({ value: [1] });
    expect(() => recordIn("{")).toThrow(SyntaxError);
  });
});
