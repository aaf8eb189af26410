import { compareLines } from "./compare-lines.js";
import { type ChangedLine, type Hunk, hunk, textLines } from "./file-change.js";

/** Texts that differ in more lines, or are longer, are not compared: the work grows with both. */
const MAX_EDITS = 1000;
const MAX_LINES = 40_000;

/** Unchanged lines that are kept before and after each change. */
const CONTEXT = 3;

/** What changes from one text to another. Two that are too long or too different are removed and added as a whole. */
export function textChanges(before: string, after: string): readonly Hunk[] {
  const old = textLines(before);
  const now = textLines(after);
  const compared = old.length + now.length > MAX_LINES ? undefined : compareLines(old, now, MAX_EDITS);
  const lines = compared ?? [
    ...old.map((text): ChangedLine => ({ type: "removed", text })),
    ...now.map((text): ChangedLine => ({ type: "added", text })),
  ];
  return aroundChanges(lines).map((run) => hunk(run));
}

/** The runs of lines that lie near a change. */
function aroundChanges(lines: readonly ChangedLine[]): ChangedLine[][] {
  const runs: ChangedLine[][] = [];
  let end = 0;
  for (const [at, { type }] of lines.entries()) {
    if (type === "context") continue;
    const from = Math.max(end, at - CONTEXT);
    const to = Math.min(lines.length, at + CONTEXT + 1);
    if (to <= end) continue;
    if (runs.length === 0 || from > end) runs.push(lines.slice(from, to));
    else runs.at(-1)!.push(...lines.slice(end, to));
    end = to;
  }
  return runs;
}
