import { diffArrays } from "diff";
import { MOST_LISTED } from "../domain/analysis/most-listed.js";
import type { ComparedConversation } from "../domain/analysis/session-comparison.js";

/** Conversations that differ in more places are not lined up: it takes as long as the square of it. */
const MOST_CHANGES = 1_000;

/** How far two conversations agree, by the hashes of their parts (https://neil.fraser.name/writing/diff/myers.pdf). */
export function linedUp([a, b]: readonly [Float64Array, Float64Array]): ComparedConversation {
  const parts = [a.length, b.length] as const;
  const pieces = diffArrays([...a], [...b], { maxEditLength: MOST_CHANGES });
  if (pieces === undefined) return { parts };
  const changes: [[number, number], [number, number]][] = [];
  let [atA, atB, shared] = [0, 0, 0];
  let isOpen = false;
  for (const { added, removed, count } of pieces) {
    if (!added && !removed) {
      atA += count;
      atB += count;
      shared += count;
      isOpen = false;
      continue;
    }
    if (!isOpen)
      changes.push([
        [atA, atA],
        [atB, atB],
      ]);
    isOpen = true;
    const [sideA, sideB] = changes.at(-1)!;
    if (removed) sideA[1] = atA += count;
    else sideB[1] = atB += count;
  }
  return { parts, shared, changes: changes.slice(0, MOST_LISTED) };
}
