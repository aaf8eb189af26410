import { common, createLowlight } from "lowlight";
import type { ReactNode } from "react";
import type { ColouredPiece } from "../../model/coloured-lines.js";
import { RecentValues } from "../../model/recent-values.js";

const lowlight = createLowlight(common);

const highlighted = new RecentValues<readonly ColouredPiece[]>(300);

export function isKnown(language: string): boolean {
  return language !== "" && lowlight.registered(language);
}

export function wasHighlighted(language: string, text: string): boolean {
  return highlighted.has(`${language} ${text}`);
}

/** The pieces of a code by what they are, in their order; together they are the text. */
export function highlight(language: string, text: string): readonly ColouredPiece[] {
  return highlighted.get(`${language} ${text}`, () => {
    const pieces: ColouredPiece[] = [];
    addPieces(pieces, lowlight.highlight(language, text).children, "");
    return pieces;
  });
}

export function piecesOf(pieces: readonly ColouredPiece[]): ReactNode {
  return pieces.map(({ kind, text }, index) =>
    kind === "" ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name, and never move
      <span key={index} data-code={kind}>
        {text}
      </span>
    ),
  );
}

/** A node of the highlighter's tree: a text, or an element. Of an element only the class names are used. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

function addPieces(pieces: ColouredPiece[], nodes: readonly Node[], around: string): void {
  for (const { type, value = "", properties, children = [] } of nodes) {
    if (type === "text") pieces.push({ kind: around, text: value });
    else {
      const names = Array.isArray(properties?.className) ? properties.className : [];
      addPieces(pieces, children, String(names[0] ?? "").replace("hljs-", "") || around);
    }
  }
}
