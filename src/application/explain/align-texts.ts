import { diffArrays } from "diff";
import { LRUCache } from "lru-cache";
import type { AlignTexts } from "../../domain/changes/owned-lines.js";

/** Texts that take more edits are not aligned: the work grows with its square. */
const MOST_EDITS = 3_000;

/** About how much of the texts that were aligned is known again, in characters. */
const MOST_KNOWN = 1_000_000;

type Runs = ReturnType<typeof diffArrays<string>> | undefined;

/**
 * Pairs what two texts have in common by the shortest edit script. What was aligned lately is known again: where several sessions edited copies of
 * a file, the same edits come many times. No text has a line break in it.
 */
export function textAligner(): AlignTexts {
  const known = new LRUCache<string, { readonly runs: Runs }>({ maxSize: MOST_KNOWN });
  return (before, after) => {
    const pairs: [number, number][] = [];
    // Of equally short ways the one that leaves both ends as they are: what is added behind a line like it comes behind it.
    let start = 0;
    while (start < before.length && start < after.length && before[start] === after[start])
      pairs.push([start, start++]);
    let same = 0;
    const shorter = Math.min(before.length, after.length) - start;
    while (same < shorter && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
    const old = before.slice(start, before.length - same);
    const now = after.slice(start, after.length - same);
    const key = `${old.length}\n${old.join("\n")}\n${now.join("\n")}`;
    const { runs } = known.get(key) ?? { runs: diffArrays(old, now, { maxEditLength: MOST_EDITS }) };
    if (key.length <= MOST_KNOWN) known.set(key, { runs }, { size: key.length });
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
}
