import type { ChangedLine } from "../../../../src/domain/changes/file-change.js";

/** `kind` is `""` without a color. */
export interface ColouredPiece {
  readonly kind: string;
  readonly text: string;
}

interface ColouredNode {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly ColouredNode[];
}

/** An explicit stack, because languages may be nested. */
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
 * Old and new lines are separate texts, because only a text's own lines may end its constructs.
 * @returns a list per line; `undefined` for a note, which is not code
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

const FULL_NAMES: ReadonlyMap<string, string> = new Map([
  ["makefile", "makefile"],
  ["gemfile", "ruby"],
  ["rakefile", "ruby"],
  [".bashrc", "bash"],
  [".zshrc", "bash"],
]);

/** A highlighter's name of the language, or the ending. @example languageOf("src/a.ts") // "ts" */
export function languageOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const language = FULL_NAMES.get(name);
  if (language !== undefined) return language;
  const dot = name.lastIndexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1);
}
