import { Suspense, useEffect, useMemo, useState } from "react";
import { formatBytes } from "../../../../src/domain/text/figures.js";
import { withoutTerminalCodes } from "../../../../src/domain/text/preview-text.js";
import { taggedParts } from "../../../../src/domain/text/tagged-text.js";
import { useMatchAfter } from "../../app/searched-text.js";
import { indentedJson } from "../../model/text/json-text.js";
import { STRINGS } from "../../strings/strings.js";
import { CopyButton } from "../parts/copy-button.js";
import { ErrorBoundary } from "../parts/error-boundary.js";
import { lazyView } from "../parts/lazy-view.js";
import styles from "./text-block.module.css";

const TerminalText = lazyView(() => import("./terminal-text.js"));

interface TextBlockProps {
  readonly text: string;
  /** Complete length, if `text` is a beginning. */
  readonly length?: number;
  readonly full?: () => Promise<string>;
  readonly lines?: number;
  /** Displays all at first, unless it is too long. Default is the beginning. */
  readonly isComplete?: boolean;
}

/** Longer texts are complete on demand. */
const MAX_COMPLETE = 200_000;

/** Labels tagged parts, indents JSON on one line, and colors terminal codes. */
export function TextBlock(props: TextBlockProps) {
  const { text, length = text.length } = props;
  const parts = useMemo(() => (length > text.length ? [] : taggedParts(text)), [text, length]);
  if (parts.every(({ label }) => label === "")) return <Piece {...props} />;
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and never move
    <Labelled key={index} label={part.label}>
      <Piece {...props} text={part.text} length={part.text.length} />
    </Labelled>
  ));
}

interface LabelledProps {
  readonly label: string;
  readonly children: React.ReactNode;
}

export function Labelled({ label, children }: LabelledProps) {
  if (label === "") return children;
  return (
    <section className={styles.labelled} aria-label={label}>
      <b>{label}</b>
      {children}
    </section>
  );
}

/** A text with a search hit further down displays everything. */
function Piece({ text, length = text.length, full, lines = 24, isComplete = false }: TextBlockProps) {
  const [loaded, setLoaded] = useState<string>();
  const written = loaded ?? text;
  const indented = useMemo(() => indentedJson(written), [written]);
  // A match may span parts that indenting separates.
  const [raw, setRaw] = useState(useMatchAfter(indented ?? text, text));
  const displayed = raw ? written : (indented ?? written);
  const short = firstLines(displayed, lines);
  const hasMatchAfter = useMatchAfter(short, displayed);
  const [all, setAll] = useState(
    hasMatchAfter || (isComplete && length === written.length && length <= MAX_COMPLETE),
  );
  const isCut = short.length < displayed.length || written.length < length;
  const unfold = async () => {
    if (length > written.length && full !== undefined) setLoaded(await full());
    setAll(true);
  };
  const opens = isComplete && length <= MAX_COMPLETE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens once, and may be closed then
  useEffect(() => {
    if (opens && isCut) void unfold();
  }, [opens]);
  const visible = all ? displayed : short;
  const plain = withoutTerminalCodes(visible);
  return (
    <div className={styles.block}>
      <pre tabIndex={all && isCut ? 0 : undefined}>
        {plain === visible ? (
          visible
        ) : (
          <ErrorBoundary fallback={plain}>
            <Suspense fallback={plain}>
              <TerminalText text={visible} />
            </Suspense>
          </ErrorBoundary>
        )}
      </pre>
      {isCut && (
        <button type="button" onClick={all ? () => setAll(false) : unfold}>
          {all ? STRINGS.messages.showLess : STRINGS.messages.showAll(formatBytes(length))}
        </button>
      )}
      {indented !== undefined && (
        <button type="button" onClick={() => setRaw(!raw)}>
          {raw ? STRINGS.texts.indent : STRINGS.texts.raw}
        </button>
      )}
      {(indented !== undefined || plain !== visible) && (
        <CopyButton label={STRINGS.texts.copy} text={full ?? (() => written)} />
      )}
    </div>
  );
}

/** Also limits characters, because a line may be very long. */
function firstLines(text: string, lines: number): string {
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf("\n", end);
    if (next === -1) return text.slice(0, lines * 120);
    end = next + 1;
  }
  return text.slice(0, Math.min(end - 1, lines * 120));
}
