import { diffArrays } from "diff";
import type { AlignTexts } from "../../domain/changes/owned-lines.js";

/** Texts that take more edits are not aligned: the work grows with its square. */
const MOST_EDITS = 3_000;

/** Pairs what two texts have in common by the shortest edit script. */
export const alignTexts: AlignTexts = (before, after) => {
  const pairs: [number, number][] = [];
  // Of equally short ways the one that leaves both ends as they are: what is added behind a line like it comes behind it.
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    pairs.push([start, start++]);
  let same = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (same < shorter && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  const runs = diffArrays(
    before.slice(start, before.length - same),
    after.slice(start, after.length - same),
    { maxEditLength: MOST_EDITS },
  );
  if (runs === undefined) return undefined;
  let [a, b] = [start, start];
  for (const { added, removed, count } of runs) {
    if (!added && !removed) for (let i = 0; i < count; i++) pairs.push([a + i, b + i]);
    if (!added) a += count;
    if (!removed) b += count;
  }
  for (let i = same; i > 0; i--) pairs.push([before.length - i, after.length - i]);
  return pairs;
};
