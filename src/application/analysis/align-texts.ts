import { diffArrays } from "diff";
import { LRUCache } from "lru-cache";
import type { AlignTexts, SharedRun } from "../../domain/changes/line-owners.js";
import { sameEnds } from "../../domain/changes/line-texts.js";

/** Texts with more edits are not aligned: the work is quadratic. */
const MOST_EDITS = 3_000;

const MAX_CACHED = 1_000_000;

type Runs = ReturnType<typeof diffArrays<string>> | undefined;

/** Shortest edit script, with a cache: sessions that edited copies of a file repeat the same edits. Texts have no line break. */
export function textAligner(): AlignTexts {
  const cache = new LRUCache<string, { readonly runs: Runs }>({ maxSize: MAX_CACHED });
  const between = (old: string[], now: string[]): Runs => {
    if (old.length === 0 || now.length === 0) return old.length + now.length > MOST_EDITS ? undefined : [];
    const key = `${old.length}\n${old.join("\n")}\n${now.join("\n")}`;
    const { runs } = cache.get(key) ?? { runs: diffArrays(old, now, { maxEditLength: MOST_EDITS }) };
    if (key.length <= MAX_CACHED) cache.set(key, { runs }, { size: key.length });
    return runs;
  };
  return (before, after) => {
    // Prefers unchanged ends: a line that is added after an equal line comes after it.
    const { start, same } = sameEnds(before, after);
    const old = before.slice(start, before.length - same);
    const now = after.slice(start, after.length - same);
    const runs = between(old, now);
    if (runs === undefined) return undefined;
    const shared: SharedRun[] = [{ a: 0, b: 0, length: start }];
    let [a, b] = [start, start];
    for (const { added, removed, count: length } of runs) {
      if (!added && !removed) shared.push({ a, b, length });
      if (!added) a += length;
      if (!removed) b += length;
    }
    shared.push({ a: before.length - same, b: after.length - same, length: same });
    return shared.filter(({ length }) => length > 0);
  };
}
