import { describe, expect, it } from "vitest";
import { NumberColumn } from "./record-columns.js";

describe("NumberColumn", () => {
  it("gives back what was pushed, over any number of blocks", () => {
    const column = NumberColumn.ofIntegers();
    for (let i = 0; i < 20_000; i++) column.push(i * 3);
    expect(column.size).toBe(20_000);
    for (const i of [0, 63, 64, 255, 256, 4_095, 4_096, 8_191, 8_192, 16_384, 19_999]) {
      expect(column.at(i)).toBe(i * 3);
    }
  });

  it("takes little memory for a few entries", () => {
    const column = NumberColumn.ofDoubles();
    column.push(1.5);
    expect(column.at(0)).toBe(1.5);
    expect(column.bytes).toBeLessThanOrEqual(512);
  });
});
