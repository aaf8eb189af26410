/** A line of a change. A note belongs to the line before it: that line ends without a line break. */
export interface ChangedLine {
  readonly type: "context" | "removed" | "added" | "note";
  readonly text: string;
}

/** Lines that follow each other in a file. */
export interface Hunk {
  /** The number of its first line before and after the change, from 1; `undefined` where nobody recorded it. */
  readonly oldStart: number | undefined;
  readonly newStart: number | undefined;
  /** The recorded location, such as the name of the surrounding function. */
  readonly place: string;
  /** The same is replaced wherever it occurs in the file. */
  readonly everywhere: boolean;
  readonly lines: readonly ChangedLine[];
}

/** A change of one file. */
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

export function hunk(lines: readonly ChangedLine[], known: Partial<Hunk> = {}): Hunk {
  return { oldStart: undefined, newStart: undefined, place: "", everywhere: false, ...known, lines };
}

/** The lines of a text. A line break at its end begins no line. */
export function textLines(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** A complete file that is added or removed. */
export function wholeFile(type: "added" | "removed", text: string): readonly Hunk[] {
  const lines = textLines(text).map((line) => ({ type, text: line }));
  return lines.length === 0 ? [] : [hunk(lines, { oldStart: 1, newStart: 1 })];
}

const SIGNS: { readonly [sign: string]: ChangedLine["type"] } = {
  " ": "context",
  "-": "removed",
  "+": "added",
  "\\": "note",
};

/** Parses a line of a patch after its sign; `undefined` for a line without a sign. */
export function signedLine(line: string): ChangedLine | undefined {
  // Some writers leave the space of an empty line out.
  if (line === "" || line === "\r") return { type: "context", text: "" };
  const type = SIGNS[line[0]!];
  return type === undefined ? undefined : { type, text: line.slice(type === "note" ? 2 : 1) };
}
