import type { ChangedLine } from "../../../src/domain/changes/file-change.js";

/** A piece of code that a highlighter took for one thing; `""` for what has no colour. */
export interface ColouredPiece {
  readonly kind: string;
  readonly text: string;
}

/** A node of the highlighter's tree: a text, or an element. Of an element only the class names are used. */
interface ColouredNode {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly ColouredNode[];
}

/** The pieces of a tree. With a stack of its own: a code may open a text in a text in a text. */
export function piecesIn(nodes: readonly ColouredNode[]): readonly ColouredPiece[] {
  const pieces: ColouredPiece[] = [];
  const left = nodes.map((node) => ({ node, around: "" })).reverse();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, around } = next;
    const { type, value = "", properties, children = [] } = node;
    if (type === "text") {
      pieces.push({ kind: around, text: value });
      continue;
    }
    const names = Array.isArray(properties?.className) ? properties.className : [];
    const kind = String(names[0] ?? "").replace("hljs-", "") || around;
    for (const child of children.toReversed()) left.push({ node: child, around: kind });
  }
  return pieces;
}

/** The pieces of each line. */
export function colouredLines(pieces: readonly ColouredPiece[]): ColouredPiece[][] {
  const lines: ColouredPiece[][] = [[]];
  for (const { kind, text } of pieces) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)!.push({ kind, text: part });
    }
  }
  return lines;
}

/**
 * Colours the lines of a change: what was there before and what is there now are two texts, of which each may begin something
 * that only its own lines end.
 *
 * @returns a list for each line; `undefined` for a note, which is no code
 */
export function colouredChange(
  lines: readonly ChangedLine[],
  colour: (text: string) => readonly ColouredPiece[],
): (readonly ColouredPiece[] | undefined)[] {
  const side = (left: "removed" | "added") => {
    const own = lines.filter(({ type }) => type === "context" || type === left);
    const coloured = colouredLines(colour(own.map(({ text }) => text).join("\n")));
    return new Map(own.map((line, index) => [line, coloured[index] ?? []]));
  };
  const before = lines.some(({ type }) => type === "removed") ? side("removed") : undefined;
  const after = side("added");
  return lines.map((line) => after.get(line) ?? before?.get(line));
}

/** Names of files that say what is in them without an ending. */
const WHOLE_NAMES: ReadonlyMap<string, string> = new Map([
  ["makefile", "makefile"],
  ["gemfile", "ruby"],
  ["rakefile", "ruby"],
  [".bashrc", "bash"],
  [".zshrc", "bash"],
]);

/** The language of a file by its name, as highlighters call it or its ending. @example languageOf("src/a.ts") // "ts" */
export function languageOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const known = WHOLE_NAMES.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1);
}
