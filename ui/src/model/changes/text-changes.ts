import { type ChangeObject, diffArrays } from "diff";
import { type ChangedLine, type Hunk, hunk, textLines } from "../../../../src/domain/changes/file-change.js";

/** The work grows with both bounds. */
const MAX_EDITS = 1000;
const MAX_LINES = 40_000;

const CONTEXT = 3;

/** Texts beyond the bounds are removed and added completely. */
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

/**
 * A shortest edit, removed lines first.
 * @param maxEdits the work grows with its square
 * @returns `undefined` if it takes more edits
 */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
  maxEdits: number,
): readonly ChangedLine[] | undefined {
  // Of equally short edits, choose the one with unchanged ends: a line that was added after an equal line appears after it.
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let same = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (same < shorter && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  const parts = diffArrays(
    before.slice(start, before.length - same),
    after.slice(start, after.length - same),
    { maxEditLength: maxEdits },
  );
  return (
    parts && [
      ...before.slice(0, start).map(context),
      ...removedFirst(parts),
      ...before.slice(before.length - same).map(context),
    ]
  );
}

function removedFirst(parts: readonly ChangeObject<string[]>[]): ChangedLine[] {
  let ordered: ChangedLine[] = [];
  let added: ChangedLine[] = [];
  for (const part of parts) {
    const type = part.added ? "added" : part.removed ? "removed" : "context";
    const lines = part.value.map((text): ChangedLine => ({ type, text }));
    if (type === "added") added = added.concat(lines);
    else if (type === "removed") ordered = ordered.concat(lines);
    else {
      ordered = ordered.concat(added, lines);
      added = [];
    }
  }
  return ordered.concat(added);
}

function context(text: string): ChangedLine {
  return { type: "context", text };
}
