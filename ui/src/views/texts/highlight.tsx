import { common, createLowlight } from "lowlight";
import type { ReactNode } from "react";
import { type ColouredPiece, piecesIn } from "../../model/text/coloured-lines.js";
import { RecentValues } from "../../model/text/recent-values.js";

const lowlight = createLowlight(common);

const highlighted = new RecentValues<readonly ColouredPiece[]>(300);

export function isSupported(language: string): boolean {
  return language !== "" && lowlight.registered(language);
}

export function wasHighlighted(language: string, text: string): boolean {
  return highlighted.has(`${language} ${text}`);
}

export function highlight(language: string, text: string): readonly ColouredPiece[] {
  return highlighted.get(`${language} ${text}`, () => {
    return piecesIn(lowlight.highlight(language, text).children);
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
