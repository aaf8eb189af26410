import styles from "./code-block.module.css";
import colours from "./code-colours.module.css";
import { highlight, isSupported, piecesOf, wasHighlighted } from "./highlight.js";
import { TextBlock } from "./text-block.js";
import { useTurn } from "./use-turn.js";

/** Highlighting longer code would block the page. */
const MAX_COLOURED = 4000;

interface CodeBlockProps {
  readonly text: string;
  readonly language: string;
  readonly length?: number;
  readonly full?: () => Promise<string>;
}

export default function CodeBlock({ text, language, length = text.length, full }: CodeBlockProps) {
  const isOurTurn = useTurn(wasHighlighted(language, text));
  if (length > MAX_COLOURED || !isSupported(language)) {
    return <TextBlock text={text} length={length} {...(full === undefined ? {} : { full })} />;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <pre className={`${styles.code} ${colours.code}`} tabIndex={0}>
      {isOurTurn ? piecesOf(highlight(language, text)) : text}
    </pre>
  );
}
