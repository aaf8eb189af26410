import { describe, expect, it } from "vitest";
import { doubles, integers } from "./columns.js";

describe("a column", () => {
  it("grows by single numbers and by many", () => {
    const column = integers();
    for (let i = 0; i < 100; i++) column.push(i);
    column.append(Uint32Array.of(100, 101));
    expect([...column.view()]).toEqual(Array.from({ length: 102 }, (_, i) => i));
    expect([column.size, column.at(101)]).toEqual([102, 101]);
  });

  it("does not change a part that was handed out", () => {
    const column = doubles(Float64Array.of(1, 2, 3));
    const before = column.view();
    column.push(4);
    column.cut(2);
    column.append(Float64Array.of(Number.NaN, 9));
    expect([...before]).toEqual([1, 2, 3]);
    expect([...column.view()]).toEqual([1, 2, Number.NaN, 9]);
  });

  it("goes on with memory that it was given", () => {
    const input = new Float64Array(8).subarray(0, 2);
    const column = doubles(input);
    column.push(1);
    expect([...column.view()]).toEqual([0, 0, 1]);
    expect(input).toHaveLength(2);
  });
});
