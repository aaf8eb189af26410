/** A note states that the previous line ends without a line break. */
export interface ChangedLine {
  readonly type: "context" | "removed" | "added" | "note";
  readonly text: string;
}

export interface Hunk {
  /** From 1; `undefined` without a recorded position. */
  readonly oldStart: number | undefined;
  readonly newStart: number | undefined;
  readonly place: string;
  readonly everywhere: boolean;
  readonly lines: readonly ChangedLine[];
}

export interface FileChange {
  readonly type: "added" | "updated" | "deleted" | "written";
  readonly path: string;
  readonly movedTo: string | undefined;
  readonly hunks: readonly Hunk[];
}

/** @example lineCounts(changes) // { added: 7, removed: 2 } */
export function lineCounts(files: readonly FileChange[]): {
  readonly added: number;
  readonly removed: number;
} {
  const counts = { context: 0, removed: 0, added: 0, note: 0 };
  for (const { hunks } of files) {
    for (const { lines } of hunks) for (const { type } of lines) counts[type]++;
  }
  return { added: counts.added, removed: counts.removed };
}

export function hunk(lines: readonly ChangedLine[], partial: Partial<Hunk> = {}): Hunk {
  return { oldStart: undefined, newStart: undefined, place: "", everywhere: false, ...partial, lines };
}

export function textLines(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

export function completeFile(type: "added" | "removed", text: string): readonly Hunk[] {
  const lines = textLines(text).map((line) => ({ type, text: line }));
  return lines.length === 0 ? [] : [hunk(lines, { oldStart: 1, newStart: 1 })];
}

const SIGNS: { readonly [sign: string]: ChangedLine["type"] } = {
  " ": "context",
  "-": "removed",
  "+": "added",
  "\\": "note",
};

export function signedLine(line: string): ChangedLine | undefined {
  // Some writers omit the space of an empty line.
  if (line === "" || line === "\r") return { type: "context", text: "" };
  const type = SIGNS[line[0]!];
  return type === undefined ? undefined : { type, text: line.slice(type === "note" ? 2 : 1) };
}
