import { diffArrays } from "diff";
import type { HashedStep } from "../../domain/compare/step-pairing.js";
import type { StepPair, StepPairs } from "../../domain/compare/step-rows.js";
import { firstWhere } from "../../domain/lists/lists.js";

/** Levels of equality, strict to weak. Unmatched steps are compared at the next level. */
type Level = "all" | "textHash" | "about" | "kind";

const LEVELS: readonly Level[] = ["all", "textHash", "about", "kind"];

/** The work is quadratic: a hundredth of a second here. */
const MOST_EDITS = 300;

type Range = readonly [from: number, to: number];

interface Stretch {
  readonly a: Range;
  readonly b: Range;
}

/** Pairs equal steps first, then steps of one kind between them. The result does not depend on the order of the sessions. */
export function* alignSteps(a: readonly HashedStep[], b: readonly HashedStep[]): Generator<void, StepPairs> {
  if (!isFirst(a, b)) {
    const { pairs, isApproximate } = yield* alignSteps(b, a);
    return { pairs: pairs.map(([i, j]) => [j, i]), isApproximate };
  }
  return yield* new Alignment(a, b).align();
}

function isFirst(a: readonly HashedStep[], b: readonly HashedStep[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const at = a.findIndex((step, i) => step.all !== b[i]!.all);
  return at === -1 || a[at]!.all < b[at]!.all;
}

class Alignment {
  readonly #a: readonly HashedStep[];
  readonly #b: readonly HashedStep[];
  readonly #pairs: StepPair[] = [];
  #isApproximate = false;

  constructor(a: readonly HashedStep[], b: readonly HashedStep[]) {
    this.#a = a;
    this.#b = b;
  }

  *align(): Generator<void, StepPairs> {
    let stretches: readonly Stretch[] = [{ a: [0, this.#a.length], b: [0, this.#b.length] }];
    for (const level of LEVELS) {
      const left: Stretch[] = [];
      for (const stretch of stretches) {
        const pairs = yield* this.#pairsIn(stretch, level);
        for (const pair of pairs) this.#pairs.push(pair);
        for (const rest of between(stretch, pairs)) left.push(rest);
      }
      stretches = left;
    }
    this.#pairs.sort(([i], [j]) => i - j);
    return { pairs: this.#pairs, isApproximate: this.#isApproximate };
  }

  *#pairsIn(stretch: Stretch, level: Level): Generator<void, readonly StepPair[]> {
    const pairs: StepPair[] = [];
    const open: Stretch[] = [stretch];
    for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
      const [trimmed, ends] = this.#withoutEqualEnds(stretch, level);
      for (const pair of ends) pairs.push(pair);
      if (isEmpty(trimmed)) continue;
      const [a, b] = this.#keysOf(trimmed, level);
      const matches = leastEdits(a, b);
      yield;
      if (matches !== undefined) {
        for (const [i, j] of matches) pairs.push([trimmed.a[0] + i, trimmed.b[0] + j]);
        continue;
      }
      this.#isApproximate = true;
      const landmarks = commonLandmarks(a, b).map(([i, j]): StepPair => [trimmed.a[0] + i, trimmed.b[0] + j]);
      for (const pair of landmarks) pairs.push(pair);
      const parts = landmarks.length > 0 ? between(trimmed, landmarks) : this.#turnsOf(trimmed);
      for (const part of parts) open.push(part);
      if (parts.length === 0 && landmarks.length === 0 && level === LEVELS.at(-1))
        open.push(...halvesOf(trimmed));
      yield;
    }
    return pairs.sort(([i], [j]) => i - j);
  }

  /** Equal ends belong to every minimal edit script, and are cheap. */
  #withoutEqualEnds({ a, b }: Stretch, level: Level): readonly [Stretch, readonly StepPair[]] {
    const ends: StepPair[] = [];
    let [[fromA, toA], [fromB, toB]] = [a, b];
    const isEqual = (i: number, j: number) => this.#a[i]![level] === this.#b[j]![level];
    for (; fromA < toA && fromB < toB && isEqual(fromA, fromB); fromA++, fromB++) ends.push([fromA, fromB]);
    for (; fromA < toA && fromB < toB && isEqual(toA - 1, toB - 1); toA--, toB--)
      ends.push([toA - 1, toB - 1]);
    return [{ a: [fromA, toA], b: [fromB, toB] }, ends];
  }

  #keysOf({ a, b }: Stretch, level: Level): readonly [number[], number[]] {
    return [this.#a.slice(...a).map((step) => step[level]), this.#b.slice(...b).map((step) => step[level])];
  }

  #turnsOf({ a, b }: Stretch): readonly Stretch[] {
    const [inA, inB] = [turnsIn(this.#a, a), turnsIn(this.#b, b)];
    const turns = Math.min(inA.length, inB.length);
    if (turns < 2) return [];
    return inA.slice(0, turns).map((turn, i) => ({ a: turn, b: inB[i]! }));
  }
}

function turnsIn(steps: readonly HashedStep[], [from, to]: Range): readonly Range[] {
  const starts = [from];
  for (let i = from + 1; i < to; i++) if (steps[i]!.step.kind === "prompt") starts.push(i);
  return starts.map((start, i) => [start, starts[i + 1] ?? to]);
}

function halvesOf({ a, b }: Stretch): readonly Stretch[] {
  const [i, j] = [middleOf(a), middleOf(b)];
  return [
    { a: [a[0], i], b: [b[0], j] },
    { a: [i, a[1]], b: [j, b[1]] },
  ];
}

function middleOf([from, to]: Range): number {
  return (from + to) >> 1;
}

function between({ a, b }: Stretch, pairs: readonly StepPair[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let [fromA, fromB] = [a[0], b[0]];
  for (const [i, j] of [...pairs, [a[1], b[1]] as const]) {
    const stretch: Stretch = { a: [fromA, i], b: [fromB, j] };
    if (!isEmpty(stretch)) stretches.push(stretch);
    [fromA, fromB] = [i + 1, j + 1];
  }
  return stretches;
}

function isEmpty({ a, b }: Stretch): boolean {
  return lengthOf(a) === 0 || lengthOf(b) === 0;
}

function lengthOf([from, to]: Range): number {
  return to - from;
}

/** Pairs of the minimal edit script; `undefined` if it is too long. */
function leastEdits(a: readonly number[], b: readonly number[]): readonly StepPair[] | undefined {
  const [placesA, placesB] = [placesOfShared(a, b), placesOfShared(b, a)];
  const shared = [placesA.map((i) => a[i]!), placesB.map((j) => b[j]!)] as const;
  const runs = diffArrays(...shared, { maxEditLength: MOST_EDITS });
  if (runs === undefined) return undefined;
  const pairs: StepPair[] = [];
  let [i, j] = [0, 0];
  for (const { added, removed, count } of runs) {
    if (!added && !removed) for (let k = 0; k < count; k++) pairs.push([placesA[i + k]!, placesB[j + k]!]);
    if (!added) i += count;
    if (!removed) j += count;
  }
  return pairs;
}

function placesOfShared(keys: readonly number[], others: readonly number[]): readonly number[] {
  const previous = new Set(others);
  return [...keys.keys()].filter((i) => previous.has(keys[i]!));
}

function commonLandmarks(a: readonly number[], b: readonly number[]): readonly StepPair[] {
  const [placesA, placesB] = [uniquePlaces(a), uniquePlaces(b)];
  const pairs: StepPair[] = [];
  for (const [key, i] of placesA) {
    const j = placesB.get(key) ?? -1;
    if (i !== -1 && j !== -1) pairs.push([i, j]);
  }
  return longestAscending(pairs);
}

/** -1 for a repeated key. */
function uniquePlaces(keys: readonly number[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const [i, key] of keys.entries()) places.set(key, places.has(key) ? -1 : i);
  return places;
}

function longestAscending(pairs: readonly StepPair[]): readonly StepPair[] {
  // Patience sorting: the smallest end of a run per length, and each pair's predecessor.
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  for (const [at, [, j]] of pairs.entries()) {
    const length = firstWhere(0, ends.length, (i) => pairs[ends[i]!]![1] >= j);
    before[at] = ends[length - 1] ?? -1;
    ends[length] = at;
  }
  const run: StepPair[] = [];
  for (let at = ends.at(-1) ?? -1; at !== -1; at = before[at]!) run.push(pairs[at]!);
  return run.reverse();
}
