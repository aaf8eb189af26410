import { MOST_LISTED } from "./most-listed.js";
import type { ComparedConversation } from "./session-comparison.js";

/** Conversations that differ in more places are not lined up: it takes as long as the square of it. */
const MOST_EDITS = 1_000;

type Change = [a: [from: number, to: number], b: [from: number, to: number]];

/** How far two conversations agree, by the hashes of their parts: the least edits that make one the other. */
export function* linedUp([a, b]: readonly [Float64Array, Float64Array]): Generator<
  void,
  ComparedConversation
> {
  const parts = [a.length, b.length] as const;
  const paths = new EditPaths(a, b);
  while (!paths.isAtEnd) {
    if (paths.edits === Math.min(MOST_EDITS, a.length + b.length)) return { parts };
    paths.step();
    yield;
  }
  const changes = paths.changes();
  const removed = changes.reduce((sum, [[from, to]]) => sum + to - from, 0);
  return { parts, shared: a.length - removed, changes: changes.slice(0, MOST_LISTED) };
}

/** Of no path. */
const NONE = -1;

/**
 * The paths of so many edits that come farthest, one for each diagonal of the edit graph: E. W. Myers, An O(ND) difference algorithm
 * and its variations, https://doi.org/10.1007/BF01840446. They are columns of numbers, because there are up to half a million; those
 * that were made longer stay, so that the one that comes to the end can be followed back.
 */
class EditPaths {
  edits = 0;
  isAtEnd: boolean;
  readonly #a: Float64Array;
  readonly #b: Float64Array;
  /** The path on each diagonal: a place in `a` less the place in `b`. */
  readonly #onDiagonal = new Int32Array(2 * MOST_EDITS + 3).fill(NONE);
  /** Where each path ends in `a`, the path that it goes on from, and whether by a part of `b`; else without one of `a`. */
  readonly #ends: number[] = [];
  readonly #befores: number[] = [];
  readonly #isAdded: boolean[] = [];
  /** Diagonals beyond these have come to the end of one side: nothing is gained there any more. */
  #lowest = Number.NEGATIVE_INFINITY;
  #highest = Number.POSITIVE_INFINITY;

  constructor(a: Float64Array, b: Float64Array) {
    this.#a = a;
    this.#b = b;
    this.isAtEnd = this.#add(0, 0, NONE, false);
  }

  /** Makes each path one edit longer. */
  step(): void {
    this.edits++;
    const from = Math.max(this.#lowest, -this.edits);
    for (let diagonal = from; diagonal <= Math.min(this.#highest, this.edits); diagonal += 2) {
      const removing = this.#pathOn(diagonal - 1);
      const adding = this.#pathOn(diagonal + 1);
      this.#putOn(diagonal - 1, NONE);
      const removed = removing === NONE ? NONE : this.#ends[removing]! + 1;
      const added = adding === NONE ? NONE : this.#ends[adding]!;
      const canRemove = removing !== NONE && removed <= this.#a.length;
      const canAdd = adding !== NONE && added - diagonal <= this.#b.length;
      if (!canAdd && !canRemove) this.#putOn(diagonal, NONE);
      else {
        // The one that comes farther in `a`; of two that come as far the one that adds.
        const isAdded = !canRemove || (canAdd && removed <= added);
        this.isAtEnd = isAdded
          ? this.#add(diagonal, added, adding, true)
          : this.#add(diagonal, removed, removing, false);
        if (this.isAtEnd) return;
      }
    }
  }

  /** What the path changes that came to the end: stretches of `a` that are other ones in `b`. */
  changes(): readonly Change[] {
    const changes: Change[] = [];
    let diagonal = this.#a.length - this.#b.length;
    for (let path = this.#ends.length - 1; this.#befores[path] !== NONE; path = this.#befores[path]!) {
      const isAdded = this.#isAdded[path]!;
      diagonal += isAdded ? 1 : -1;
      const fromA = this.#ends[this.#befores[path]!]!;
      const fromB = fromA - diagonal;
      const [toA, toB] = isAdded ? [fromA, fromB + 1] : [fromA + 1, fromB];
      const behind = changes.at(-1);
      if (behind?.[0][0] === toA && behind[1][0] === toB) [behind[0][0], behind[1][0]] = [fromA, fromB];
      else
        changes.push([
          [fromA, toA],
          [fromB, toB],
        ]);
    }
    return changes.reverse();
  }

  /**
   * Adds a path, which goes on as long as both sides say the same.
   *
   * @returns whether it comes to the end of both
   */
  #add(diagonal: number, from: number, before: number, isAdded: boolean): boolean {
    let end = from;
    while (
      end < this.#a.length &&
      end - diagonal < this.#b.length &&
      this.#a[end] === this.#b[end - diagonal]
    )
      end++;
    this.#ends.push(end);
    this.#befores.push(before);
    this.#isAdded.push(isAdded);
    this.#putOn(diagonal, this.#ends.length - 1);
    const [isEndOfA, isEndOfB] = [end === this.#a.length, end - diagonal === this.#b.length];
    if (isEndOfA) this.#highest = Math.min(this.#highest, diagonal - 1);
    if (isEndOfB) this.#lowest = Math.max(this.#lowest, diagonal + 1);
    return isEndOfA && isEndOfB;
  }

  #pathOn(diagonal: number): number {
    return this.#onDiagonal[diagonal + MOST_EDITS + 1]!;
  }

  #putOn(diagonal: number, path: number): void {
    this.#onDiagonal[diagonal + MOST_EDITS + 1] = path;
  }
}
