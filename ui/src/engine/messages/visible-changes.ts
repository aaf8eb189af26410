import { type FileChange, type Hunk, lineCounts } from "../../../../src/domain/changes/file-change.js";
import type { JsonObject } from "../../../../src/domain/json/json.js";
import type { RecordedToolCall } from "../../model/changes/call-changes.js";
import { cutStrings } from "../records/record-json.js";

export interface VisibleChanges {
  readonly files: readonly VisibleFile[];
  readonly rest: JsonObject;
  readonly cut: boolean;
}

export interface VisibleFile extends FileChange {
  readonly added: number;
  readonly removed: number;
}

const MAX_LINES = 4000;
const MAX_FILES = 200;
const MAX_LENGTH = 2000;

/**
 * Loads its code at the first call.
 * @returns `undefined` if the call changes no files, or its input cannot be read
 */
export async function visibleChanges(call: RecordedToolCall): Promise<VisibleChanges | undefined> {
  const { callChanges } = await import("../../model/changes/call-changes.js");
  const changes = callChanges(call);
  if (changes === undefined) return undefined;
  let cut = changes.files.length > MAX_FILES;
  let left = MAX_LINES;
  const files: VisibleFile[] = [];
  for (const file of changes.files.slice(0, MAX_FILES)) {
    const hunks: Hunk[] = [];
    for (const { lines, ...hunk } of file.hunks) {
      const visible = lines.slice(0, left);
      left -= visible.length;
      cut ||= visible.length < lines.length || visible.some(({ text }) => text.length > MAX_LENGTH);
      if (visible.length > 0) hunks.push({ ...hunk, lines: visible.map(shortened) });
    }
    files.push({ ...file, hunks, ...lineCounts([file]) });
  }
  return { files, rest: cutStrings(changes.rest).value as JsonObject, cut };
}

function shortened(line: Hunk["lines"][number]): Hunk["lines"][number] {
  return line.text.length > MAX_LENGTH ? { ...line, text: `${line.text.slice(0, MAX_LENGTH)}…` } : line;
}
