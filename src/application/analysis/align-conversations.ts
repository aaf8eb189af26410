import { diffArrays } from "diff";
import type { ComparedConversation } from "../../domain/compare/session-comparison.js";
import { MOST_LISTED } from "../../domain/steps/session-steps.js";

/** Conversations with more edits are not aligned: the work is quadratic, a tenth of a second here. */
const MOST_EDITS = 1_000;

type Change = [a: [from: number, to: number], b: [from: number, to: number]];

export function alignConversations([a, b]: readonly [number[], number[]]): ComparedConversation {
  const parts = [a.length, b.length] as const;
  const runs = diffArrays(a, b, { maxEditLength: MOST_EDITS });
  if (runs === undefined) return { parts };
  const changes: Change[] = [];
  let [atA, atB, shared] = [0, 0, 0];
  for (const { added, removed, count } of runs) {
    const [fromA, fromB] = [atA, atB];
    if (!added) atA += count;
    if (!removed) atB += count;
    const last = changes.at(-1);
    if (!added && !removed) shared += count;
    else if (last?.[0][1] === fromA && last[1][1] === fromB) [last[0][1], last[1][1]] = [atA, atB];
    else
      changes.push([
        [fromA, atA],
        [fromB, atB],
      ]);
  }
  return { parts, shared, changes: changes.slice(0, MOST_LISTED) };
}
