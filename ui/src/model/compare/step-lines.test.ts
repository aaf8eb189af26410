import { describe, expect, it } from "vitest";
import type { Divergence, StepComparison, StepUse } from "../../../../src/domain/compare/step-comparison.js";
import { dollarsMore, largestDivergences, timeMore } from "./step-deltas.js";
import { StepLines } from "./step-lines.js";
import { wordChanges } from "./word-changes.js";

const use = (ms: number, usd = ms / 1_000): StepUse => ({ ms, usd });

function divergence(row: number, rows: number, before: number, used: readonly [number, number]): Divergence {
  return {
    row,
    rows,
    sides: [null, null],
    before: [use(before), use(before)],
    used: [use(used[0]), use(used[1])],
  };
}

/** Ten rows are the same, two differ, one is the same, one differs, six are the same. */
const COMPARISON = {
  divergences: [divergence(10, 2, 100, [20, 50]), divergence(13, 1, 130, [900, 0])],
  divergenceCount: 2,
  rowCount: 20,
  used: [use(1_100), use(200)],
} satisfies Partial<StepComparison>;

const textsOf = (lines: StepLines) =>
  Array.from({ length: lines.count }, (_, i) => {
    const line = lines.lineAt(i);
    return line.kind === "fold" ? `${line.rows} from ${line.row}` : `${line.row} ${line.divergence ?? "="}`;
  });

describe("the lines of two runs", () => {
  it("fold what is the same, unless it is short", () => {
    const lines = new StepLines(COMPARISON, new Set());
    expect(textsOf(lines)).toEqual(["10 from 0", "10 0", "11 0", "12 =", "13 1", "6 from 14"]);
    expect(lines.lineAt(0)).toMatchObject({ isOpen: false, used: [use(100), use(100)] });
    expect([0, 9, 10, 13, 14, 19].map((row) => lines.lineOf(row))).toEqual([0, 0, 1, 4, 5, 5]);
  });

  it("show the rows of a fold that is open behind it", () => {
    const lines = new StepLines(COMPARISON, new Set([14]));
    expect(textsOf(lines).slice(5)).toEqual(["6 from 14", "14 =", "15 =", "16 =", "17 =", "18 =", "19 ="]);
    expect([13, 14, 19].map((row) => lines.lineOf(row))).toEqual([4, 6, 11]);
  });

  it("fold nothing of what is not known to be the same", () => {
    const lines = new StepLines({ ...COMPARISON, divergenceCount: 3 }, new Set());
    expect(textsOf(lines).slice(5)).toEqual(["14 =", "15 =", "16 =", "17 =", "18 =", "19 ="]);
  });

  it("are as many as the service gives", () => {
    const lines = new StepLines({ ...COMPARISON, divergences: [], rowCount: 70_000 }, new Set());
    expect(lines.count).toBe(50_000);
  });
});

describe("what one run took more than the other", () => {
  it("is said with its sign, and as unknown where it has no price", () => {
    expect(dollarsMore([use(0, 1.5), use(0, 1.62)])).toBe("+$0.12");
    expect(dollarsMore([use(0, 2), use(0, 0.8)])).toBe("−$1.20");
    expect(dollarsMore([use(0, 0), use(0, 0.0012)])).toBe("+$0.001");
    expect(dollarsMore([use(0), use(0)])).toBe("0");
    expect(dollarsMore([use(0), { ...use(0), unpricedCalls: 1 }])).toBe("?");
    expect(timeMore([use(340), use(0)])).toBe("−340ms");
  });

  it("is largest first, of what differs", () => {
    expect(largestDivergences(COMPARISON.divergences, "ms", 5)).toEqual([1, 0]);
    expect(largestDivergences([divergence(0, 1, 0, [3, 3])], "usd", 5)).toEqual([]);
  });
});

describe("two texts word by word", () => {
  it("are told apart by what each has alone", () => {
    const [before, after] = wordChanges("cat src/a.ts now", "cat src/b.ts now");
    expect(before.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(["a"]);
    expect(after.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(["b"]);
    expect(before.map(({ text }) => text).join("")).toBe("cat src/a.ts now");
  });

  it("are other ones as a whole where they differ in too much", () => {
    const words = (from: number) => Array.from({ length: 900 }, (_, i) => `w${from + i}`).join(" ");
    expect(wordChanges(words(0), words(5_000))[0]).toHaveLength(1);
    expect(wordChanges("Mend it in the cart", "Ask a person in a while, or so")[1]).toHaveLength(1);
    expect(wordChanges("the same", "the same")[0]).toEqual([{ text: "the same", isChanged: false }]);
  });
});
