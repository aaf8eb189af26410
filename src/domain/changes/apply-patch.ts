import { type ChangedLine, type FileChange, type Hunk, hunk, signedLine } from "./file-change.js";

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+?)\r?$/;
const MOVE = /^\*\*\* Move to: (.+?)\r?$/;
const TYPES = { Add: "added", Update: "updated", Delete: "deleted" } as const;

/**
 * Parses a patch of Codex's tool `apply_patch`. It has no line numbers: the context locates a hunk.
 * @returns `undefined` for another format, and for a broken patch
 * @example parseApplyPatch("*** Begin Patch\n*** Add File: a.txt\n+text\n*** End Patch")
 */
export function parseApplyPatch(text: string): readonly FileChange[] | undefined {
  const lines = text.trim().split("\n");
  if (lines.shift()?.trimEnd() !== "*** Begin Patch" || lines.pop()?.trimEnd() !== "*** End Patch") {
    return undefined;
  }
  const files: FileChange[] = [];
  for (let at = 0; at < lines.length; ) {
    const [, verb, path] = FILE.exec(lines[at++]!) ?? [];
    if (verb === undefined || path === undefined) return undefined;
    const movedTo = MOVE.exec(lines[at] ?? "")?.[1];
    if (movedTo !== undefined) at++;
    let end = at;
    while (end < lines.length && !FILE.test(lines[end]!)) end++;
    const hunks = readHunks(lines.slice(at, end), verb === "Add");
    if (hunks === undefined) return undefined;
    files.push({ type: TYPES[verb as keyof typeof TYPES], path, movedTo, hunks });
    at = end;
  }
  return files.length === 0 ? undefined : files;
}

function readHunks(lines: readonly string[], isNew: boolean): readonly Hunk[] | undefined {
  const hunks: Hunk[] = [];
  let read: ChangedLine[] = [];
  let place: string[] = [];
  const close = () => {
    if (read.length > 0) {
      hunks.push(hunk(read, { place: place.join(" › "), ...(isNew && { oldStart: 1, newStart: 1 }) }));
      place = [];
    }
    read = [];
  };
  for (const text of lines) {
    if (text.trimEnd() === "*** End of File") continue;
    if (text.startsWith("@@")) {
      close();
      if (text.length > 3) place.push(text.slice(3).trim());
      continue;
    }
    const line = signedLine(text);
    if (line === undefined || (isNew && line.type !== "added")) return undefined;
    read.push(line);
  }
  close();
  return hunks;
}
