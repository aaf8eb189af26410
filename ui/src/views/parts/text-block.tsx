import { useState } from "react";
import { useFoundBehind } from "../../app/searched-text.js";
import { formatBytes, withoutTerminalCodes } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./text-block.module.css";

interface TextBlockProps {
  readonly text: string;
  /** Of the whole, where `text` is only its beginning. */
  readonly length?: number;
  /** Gets the whole. */
  readonly whole?: () => Promise<string>;
  readonly lines?: number;
}

/** A text without its terminal codes. A long one shows its beginning, and a button that shows all of it; one in which something is found further down shows all. */
export function TextBlock({ text, length = text.length, whole, lines = 24 }: TextBlockProps) {
  const short = firstLines(text, lines);
  const isFoundBehind = useFoundBehind(short, text);
  const [all, setAll] = useState(isFoundBehind ? text : undefined);
  const isCut = short.length < length;
  const unfold = async () => setAll(length > text.length && whole !== undefined ? await whole() : text);
  return (
    <div className={styles.block}>
      <pre>{withoutTerminalCodes(all ?? short)}</pre>
      {isCut && (
        <button type="button" onClick={all === undefined ? unfold : () => setAll(undefined)}>
          {all === undefined ? STRINGS.messages.showAll(formatBytes(length)) : STRINGS.messages.showLess}
        </button>
      )}
    </div>
  );
}

/** The first lines, limited in characters too, because a line may be very long. */
function firstLines(text: string, lines: number): string {
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf("\n", end);
    if (next === -1) return text.slice(0, lines * 120);
    end = next + 1;
  }
  return text.slice(0, Math.min(end - 1, lines * 120));
}
