import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StepRow } from "../../domain/compare/step-comparison.js";
import type { HashedStep } from "../../domain/compare/step-pairing.js";
import { type SteppedRows, stepRows } from "../../domain/compare/step-rows.js";
import { hash53 } from "../../domain/text/fingerprints.js";
import { alignSteps } from "./align-steps.js";

/** A step whose name is its kind, and whose number is what it says: `r1` and `r2` read something else. */
function step(name: string, index: number): HashedStep {
  const [kind = "", textHash = ""] = [name[0], name.slice(1)];
  return {
    step: { index, kind: kind === "p" ? "prompt" : "tool", toolName: kind, text: name, ms: 1, usd: 0.5 },
    all: hashOf(name),
    textHash: hashOf(name),
    about: hashOf(`${kind}:${textHash[0] ?? ""}`),
    kind: hashOf(kind),
  };
}

const hashes = new Map<string, number>();
function hashOf(text: string): number {
  const existing = hashes.get(text) ?? hashes.size;
  hashes.set(text, existing);
  return existing;
}

const steps = (names: readonly string[]) => names.map(step);

function aligned(a: readonly string[], b: readonly string[]): SteppedRows {
  const [one, other] = [steps(a), steps(b)];
  return finished(stepRows(one, other, finished(alignSteps(one, other))));
}

function finished<T>(generator: Generator<void, T>): T {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}

const SIGNS = { same: "=", changed: "~", first: "<", second: ">" } as const;
const texts = ({ rows }: SteppedRows) =>
  rows.map(
    ({ relation, sides: [a, b] }) =>
      `${a?.text ?? ""}${SIGNS[relation]}${relation === "same" ? "" : (b?.text ?? "")}`,
  );

describe("the steps of two sessions", () => {
  it("are side by side where they say the same, and where they are of one kind between such ones", () => {
    const rows = aligned(["p1", "r1", "r2", "e1", "a1"], ["p1", "r1", "r9", "b1", "b2", "e1", "a1"]);
    expect(texts(rows)).toEqual(["p1=", "r1=", "r2~r9", ">b1", ">b2", "e1=", "a1="]);
    expect(rows.comparison).toMatchObject({
      counts: [5, 7],
      same: 4,
      changed: 1,
      alone: [0, 2],
      isApproximate: false,
      divergenceCount: 2,
      used: [
        { ms: 5, usd: 2.5 },
        { ms: 7, usd: 3.5 },
      ],
    });
    expect(rows.comparison.divergences).toMatchObject([
      { row: 2, rows: 1, sides: [{ text: "r2" }, { text: "r9" }] },
      {
        row: 3,
        rows: 2,
        sides: [null, { text: "b1" }],
        used: [{ ms: 0 }, { ms: 2 }],
        before: [{ ms: 3 }, { ms: 3 }],
      },
    ]);
  });

  it("are all in the rows, once and in their order, whichever session comes first", () => {
    const names = fc.array(
      fc.tuple(fc.constantFrom(..."prab"), fc.nat(4)).map(([kind, n]) => `${kind}${n}`),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(names, names, (a, b) => {
        const rows = aligned(a, b);
        const side = (i: 0 | 1) => rows.rows.flatMap(({ sides }) => sides[i]?.text ?? []);
        expect(side(0)).toEqual(a);
        expect(side(1)).toEqual(b);
        expect(pairsOf(aligned(b, a).rows).map(([i, j]) => [j, i])).toEqual(pairsOf(rows.rows));
        const { same, changed, alone, rowCount } = rows.comparison;
        expect(same * 2 + changed * 2 + alone[0] + alone[1]).toBe(a.length + b.length);
        expect(rowCount).toBe(rows.rows.length);
        expect(aligned(a, a).comparison).toMatchObject({ same: a.length, divergenceCount: 0 });
      }),
      { numRuns: 100 },
    );
  });

  it("of two that share nothing stand alone, each", () => {
    const many = (from: number) =>
      Array.from({ length: 20_000 }, (_, i) => `${String.fromCharCode(from + (i % 2_000))}${i}`);
    expect(aligned(many(0x1000), many(0x3000)).comparison).toMatchObject({
      same: 0,
      changed: 0,
      alone: [20_000, 20_000],
      isApproximate: false,
      divergenceCount: 1,
      rowCount: 40_000,
    });
  });

  it("are paired part by part beyond a bound of work, which is said", () => {
    // Of five kinds, in no order.
    const many = (seed: number) =>
      Array.from({ length: 4_000 }, (_, i) => `${"abcde"[hash53(`${seed} ${i}`) % 5]}${seed}`);
    const { comparison } = aligned(many(1), many(2));
    expect(comparison).toMatchObject({ same: 0, isApproximate: true });
    expect(comparison.changed).toBeGreaterThan(1_600);
  });

  it("of two that differ much are lined up by what occurs once in both, and turn by turn", () => {
    // The same steps in another order take as many edits as there are.
    const mixed = (seed: number) =>
      Array.from({ length: 500 }, (_, i) => `b${i % 5}${hash53(`${seed} ${i}`) % 9}`);
    const run = (seed: number) => ["p1", ...mixed(seed), "e7", ...mixed(seed + 1), "p2", ...mixed(seed)];
    const landmarks = pairsOf(aligned(run(1), run(5)).rows);
    for (const at of [0, 501, 1_002]) expect(landmarks).toContainEqual([at, at]);
    // Both prompts say the same, and are no landmarks therefore.
    const turns = (seed: number, length: number) =>
      [mixed(seed), mixed(seed + 1).slice(0, length), ["a1"]].flatMap((turn) => ["p3", ...turn]);
    const { rows, comparison } = aligned(turns(1, 500), turns(5, 400));
    expect(comparison.isApproximate).toBe(true);
    for (const pair of [
      [0, 0],
      [501, 501],
      [1_002, 902],
    ])
      expect(pairsOf(rows)).toContainEqual(pair);
  });
});

function pairsOf(rows: readonly StepRow[]): [number, number][] {
  return rows.flatMap(({ sides: [a, b] }): [number, number][] => (a && b ? [[a.index, b.index]] : []));
}
