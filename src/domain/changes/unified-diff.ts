import { type ChangedLine, type Hunk, hunk, signedLine, textLines } from "./file-change.js";

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * Skips text before the first hunk.
 * @returns `undefined` for other texts, and for a broken diff
 * @see https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html
 */
export function parseUnifiedDiff(text: string): readonly Hunk[] | undefined {
  const lines = textLines(text);
  const hunks: Hunk[] = [];
  let at = lines.findIndex((line) => line.startsWith("@@ "));
  while (at !== -1 && at < lines.length) {
    const header = HUNK.exec(lines[at++]!);
    if (header === null) return undefined;
    const left = { old: Number(header[2] ?? 1), new: Number(header[4] ?? 1) };
    const read: ChangedLine[] = [];
    for (; at < lines.length; at++) {
      const isFull = left.old === 0 && left.new === 0;
      if (isFull && !lines[at]!.startsWith("\\")) break;
      const line = signedLine(lines[at]!);
      if (line === undefined) return undefined;
      if (line.type === "context" || line.type === "removed") left.old--;
      if (line.type === "context" || line.type === "added") left.new--;
      if (left.old < 0 || left.new < 0) return undefined;
      read.push(line);
    }
    if (left.old !== 0 || left.new !== 0) return undefined;
    hunks.push(
      hunk(read, { oldStart: Number(header[1]), newStart: Number(header[3]), place: header[5] ?? "" }),
    );
  }
  return hunks.length === 0 ? undefined : hunks;
}
