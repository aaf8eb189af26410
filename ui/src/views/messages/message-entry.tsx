import { lazy, memo, Suspense } from "react";
import { engine } from "../../app/engine.js";
import type { EntryRow } from "../../engine/message-protocol.js";
import { type SessionRoute, sessionAddress } from "../../model/address.js";
import { previewText } from "../../model/formats.js";
import { STRINGS } from "../../strings.js";
import { TextBlock } from "../parts/text-block.js";
import { EntryImages } from "./entry-images.js";
import styles from "./message-entry.module.css";
import { ToolCall } from "./tool-call.js";

const Markdown = lazy(() => import("./markdown.js"));

/** Longer texts are shown as they are written: laying them out would hold up the page. */
const MAX_MARKDOWN = 5000;

interface MessageEntryProps {
  readonly row: EntryRow | undefined;
  readonly place: number;
  readonly number: string;
  readonly route: SessionRoute;
}

const { messages: strings } = STRINGS;

export const MessageEntry = memo(function MessageEntry({ row, place, route, number }: MessageEntryProps) {
  if (row === undefined) return <div className={styles.entry} aria-busy="true" />;
  return (
    <article
      className={styles.entry}
      data-origin={row.origin}
      aria-label={`${strings.origins[row.origin]} ${number}`}
    >
      {row.opensSpeaker && (
        <header className={styles.speaker}>
          <h2>{strings.origins[row.origin === "tool" ? "assistant" : row.origin]}</h2>
          <a href={sessionAddress(route, "messages", { at: String(row.messageIndex) })} title={strings.link}>
            #{row.messageIndex}
          </a>
        </header>
      )}
      <EntryBody row={row} place={place} />
    </article>
  );
});

function EntryBody({ row, place }: { readonly row: EntryRow; readonly place: number }) {
  const { text } = row;
  const whole = () => engine.call("messageWhole", place, "part");
  switch (row.type) {
    case "text":
      if (text.length > MAX_MARKDOWN) {
        return <TextBlock text={text.text} length={text.length} whole={whole} />;
      }
      return (
        <Suspense fallback={<div className={styles.plain}>{text.text}</div>}>
          <Markdown text={text.text} />
        </Suspense>
      );
    case "thinking":
      return (
        <details className={styles.thinking}>
          <summary>
            {strings.thinking} <span>{previewText(text.text)}</span>
          </summary>
          <TextBlock text={text.text} length={text.length} whole={whole} />
        </details>
      );
    case "call":
    case "result":
      return <ToolCall row={row} place={place} />;
    case "image":
      return <EntryImages images={row.images} />;
    case "other":
      return <TextBlock text={text.text} length={text.length} whole={whole} lines={8} />;
    default: {
      row.type satisfies never;
      return null;
    }
  }
}
