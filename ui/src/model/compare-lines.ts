import type { ChangedLine } from "./file-change.js";

/**
 * The fewest lines to remove and to add that lead from one list of lines to another, by E. Myers, "An O(ND) Difference
 * Algorithm and Its Variations" (1986). In each change the removed lines come first.
 *
 * @param maxEdits the work grows with its square
 * @returns `undefined` where it takes more edits
 */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
  maxEdits: number,
): readonly ChangedLine[] | undefined {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let same = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (same < shorter && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  const old = before.slice(start, before.length - same);
  const now = after.slice(start, after.length - same);
  const ways = findWay(old, now, maxEdits);
  return (
    ways && [
      ...before.slice(0, start).map(context),
      ...removedFirst(goBack(old, now, ways)),
      ...before.slice(before.length - same).map(context),
    ]
  );
}

/**
 * How far one comes on each diagonal with 0, 1, 2, … edits, as the number of lines of `old` that are passed. Diagonal `k`, where `k` more lines
 * of `old` than of `now` are passed, is at `k + edits + 1`.
 */
function findWay(old: readonly string[], now: readonly string[], maxEdits: number): Int32Array[] | undefined {
  const ways: Int32Array[] = [];
  for (let edits = 0; edits <= maxEdits; edits++) {
    const reached = new Int32Array(2 * edits + 3).fill(-1);
    for (let k = -edits; k <= edits; k += 2) {
      let x = edits === 0 ? 0 : stepBefore(ways[edits - 1]!, edits, k).x;
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++;
      reached[k + edits + 1] = x;
      if (x >= old.length && x - k >= now.length) return [...ways, reached];
    }
    ways.push(reached);
  }
  return undefined;
}

/** The better of the two edits that lead onto a diagonal: the removal of a line comes from the one below, its addition from above. */
function stepBefore(
  reached: Int32Array,
  edits: number,
  k: number,
): { readonly x: number; readonly removed: boolean } {
  const removed = reached[k - 1 + edits] ?? -1;
  const added = reached[k + 1 + edits] ?? -1;
  // Nothing has come to a diagonal that is -1.
  return k === -edits || (k !== edits && removed < added)
    ? { x: added, removed: false }
    : { x: removed + 1, removed: true };
}

function goBack(old: readonly string[], now: readonly string[], ways: readonly Int32Array[]): ChangedLine[] {
  const lines: ChangedLine[] = [];
  let x = old.length;
  let k = old.length - now.length;
  for (let edits = ways.length - 1; edits >= 0; edits--) {
    const step = edits === 0 ? { x: 0, removed: false } : stepBefore(ways[edits - 1]!, edits, k);
    while (x > step.x) lines.push(context(old[--x]!));
    if (edits === 0) break;
    if (step.removed) lines.push({ type: "removed", text: old[--x]! });
    else lines.push({ type: "added", text: now[x - k - 1]! });
    k += step.removed ? -1 : 1;
  }
  return lines.reverse();
}

function removedFirst(lines: readonly ChangedLine[]): ChangedLine[] {
  const ordered: ChangedLine[] = [];
  const added: ChangedLine[] = [];
  for (const line of lines) {
    if (line.type === "added") added.push(line);
    else {
      if (line.type === "context") ordered.push(...added.splice(0));
      ordered.push(line);
    }
  }
  return [...ordered, ...added];
}

function context(text: string): ChangedLine {
  return { type: "context", text };
}
