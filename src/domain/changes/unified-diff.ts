import { type ChangedLine, type Hunk, hunk, signedLine, textLines } from "./file-change.js";

/** Header of a hunk (a block of changed lines): start and count of old lines, the same of new lines, and a heading. */
const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/**
 * Parses the hunks of a diff of one file. Skips text before the first hunk.
 * @returns `undefined` if the text has no hunk, or if anything after the first hunk's start is malformed
 * @see https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html
 */
export function parseUnifiedDiff(text: string): readonly Hunk[] | undefined {
  const lines = textLines(text);
  const hunks: Hunk[] = [];
  let index = lines.findIndex((line) => line.startsWith("@@ "));
  while (index !== -1 && index < lines.length) {
    const header = HUNK_HEADER.exec(lines[index++]!);
    if (header === null) return undefined;
    // Numbers of lines that are still missing, by the header. An absent count is 1.
    const remaining = { old: Number(header[2] ?? 1), new: Number(header[4] ?? 1) };
    const hunkLines: ChangedLine[] = [];
    for (; index < lines.length; index++) {
      const isComplete = remaining.old === 0 && remaining.new === 0;
      // A line such as `\ No newline at end of file` has no count, and can follow the last line.
      if (isComplete && !lines[index]!.startsWith("\\")) break;
      const line = signedLine(lines[index]!);
      if (line === undefined) return undefined;
      if (line.type === "context" || line.type === "removed") remaining.old--;
      if (line.type === "context" || line.type === "added") remaining.new--;
      if (remaining.old < 0 || remaining.new < 0) return undefined;
      hunkLines.push(line);
    }
    if (remaining.old !== 0 || remaining.new !== 0) return undefined;
    hunks.push(
      hunk(hunkLines, { oldStart: Number(header[1]), newStart: Number(header[3]), place: header[5] ?? "" }),
    );
  }
  return hunks.length === 0 ? undefined : hunks;
}
