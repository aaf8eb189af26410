import { previewText } from "../text/preview-text.js";
import {
  addUse,
  type ComparedStep,
  type Divergence,
  type DivergingStep,
  NO_USE,
  type StepComparison,
  type StepPart,
  type StepRow,
  type StepUse,
} from "./step-comparison.js";
import type { HashedStep } from "./step-pairing.js";

export type StepPair = readonly [a: number, b: number];

export interface StepPairs {
  readonly pairs: readonly StepPair[];
  readonly isApproximate: boolean;
}

const MOST_DIVERGENCES = 1_000;
const SHORT_TEXT = 80;
const MOST_ROWS = 50_000;
const SHORT_LINE = 120;

export interface SteppedRows {
  readonly comparison: Omit<StepComparison, "rows">;
  readonly rows: readonly StepRow[];
}

export function* stepRows(
  a: readonly HashedStep[],
  b: readonly HashedStep[],
  { pairs, isApproximate }: StepPairs,
): Generator<void, SteppedRows> {
  const rows: StepRow[] = [];
  let rowCount = 0;
  const divergences = new Divergences();
  const counts = { same: 0, changed: 0, first: 0, second: 0 };
  let until: readonly [StepUse, StepUse] = [NO_USE, NO_USE];
  const add = (one: HashedStep | undefined, other: HashedStep | undefined) => {
    const before = until;
    const sides = [one?.step ?? null, other?.step ?? null] as const;
    until = addUses(before, usesOf(sides));
    const differs = one === undefined || other === undefined ? undefined : differingParts(one, other);
    const row = rowOf(sides, differs, until);
    counts[row.relation]++;
    divergences.add(row, rowCount, before);
    rowCount++;
    if (rows.length < MOST_ROWS) rows.push(row);
  };
  let [i, j] = [0, 0];
  for (const [nextA, nextB] of [...pairs, [a.length, b.length] as const]) {
    while (i < nextA) add(a[i++], undefined);
    while (j < nextB) add(undefined, b[j++]);
    if (i < a.length && j < b.length) add(a[i++], b[j++]);
    yield;
  }
  return {
    comparison: {
      counts: [a.length, b.length],
      same: counts.same,
      changed: counts.changed,
      alone: [counts.first, counts.second],
      isApproximate,
      used: until,
      divergences: divergences.listed,
      divergenceCount: divergences.count,
      rowCount,
    },
    rows,
  };
}

function rowOf(
  sides: Sides,
  differs: readonly StepPart[] | undefined,
  until: readonly [StepUse, StepUse],
): StepRow {
  const [a, b] = sides;
  if (a === null || b === null) return { relation: a === null ? "second" : "first", sides, until };
  if (differs !== undefined && differs.length > 0) return { relation: "changed", sides, differs, until };
  return { relation: "same", sides: [inShort(a), inShort(b)], until };
}

function inShort({ result: _, ...step }: ComparedStep): ComparedStep {
  return step.text.length <= SHORT_LINE ? step : { ...step, text: previewText(step.text, SHORT_LINE) };
}

function differingParts(one: HashedStep, other: HashedStep): readonly StepPart[] {
  if (one.all === other.all) return [];
  if (one.textHash === other.textHash) return ["result"];
  return one.step.result === other.step.result ? ["text"] : ["text", "result"];
}

type Sides = readonly [ComparedStep | null, ComparedStep | null];

function usesOf([a, b]: Sides): readonly [StepUse, StepUse] {
  return [a ?? NO_USE, b ?? NO_USE];
}

function addUses(
  [a, b]: readonly [StepUse, StepUse],
  [moreA, moreB]: readonly [StepUse, StepUse],
): readonly [StepUse, StepUse] {
  return [addUse(a, moreA), addUse(b, moreB)];
}

class Divergences {
  readonly listed: Divergence[] = [];
  count = 0;
  #last: Divergence | undefined;

  add({ relation, sides }: StepRow, row: number, before: readonly [StepUse, StepUse]): void {
    const last = this.#last;
    if (relation === "first" || relation === "second") {
      if (last === undefined) this.#begin(sides, row, before);
      else {
        this.#last = {
          ...last,
          rows: last.rows + 1,
          sides: [last.sides[0] ?? shortened(sides[0]), last.sides[1] ?? shortened(sides[1])],
          used: addUses(last.used, usesOf(sides)),
        };
        if (this.count <= MOST_DIVERGENCES) this.listed[this.listed.length - 1] = this.#last;
      }
      return;
    }
    if (relation === "changed") this.#begin(sides, row, before);
    this.#last = undefined;
  }

  #begin(sides: Sides, row: number, before: readonly [StepUse, StepUse]): void {
    this.count++;
    this.#last = {
      row,
      rows: 1,
      sides: [shortened(sides[0]), shortened(sides[1])],
      used: addUses([NO_USE, NO_USE], usesOf(sides)),
      before,
    };
    if (this.listed.length < MOST_DIVERGENCES) this.listed.push(this.#last);
  }
}

function shortened(step: ComparedStep | null): DivergingStep | null {
  if (step === null) return null;
  const { index, kind, toolName, text } = step;
  return {
    index,
    kind,
    ...(toolName === undefined ? {} : { toolName }),
    text: previewText(text, SHORT_TEXT),
  };
}
