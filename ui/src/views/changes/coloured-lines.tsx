import { type ReactNode, useMemo } from "react";
import type { ChangedLine } from "../../../../src/domain/changes/file-change.js";
import { colouredChange } from "../../model/text/coloured-lines.js";
import colours from "../texts/code-colours.module.css";
import { highlight, isSupported, piecesOf } from "../texts/highlight.js";
import { useTurn } from "../texts/use-turn.js";

/** Nobody wrote longer lines. */
const MAX_COLOURED = 8000;

interface ColouredLinesProps {
  readonly lines: readonly ChangedLine[];
  readonly language: string;
  draw(contents?: readonly ReactNode[]): ReactNode;
}

export default function ColouredLines({ lines, language, draw }: ColouredLinesProps) {
  const length = useMemo(() => lines.reduce((sum, { text }) => sum + text.length + 1, 0), [lines]);
  const canColour = length <= MAX_COLOURED && isSupported(language);
  const isOurTurn = useTurn(false);
  const contents = useMemo(
    () =>
      canColour && isOurTurn
        ? colouredChange(lines, (text) => highlight(language, text)).map(
            (pieces) => pieces && piecesOf(pieces),
          )
        : undefined,
    [canColour, isOurTurn, lines, language],
  );
  return <span className={colours.code}>{draw(contents)}</span>;
}
