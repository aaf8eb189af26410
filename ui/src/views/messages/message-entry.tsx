import { lazy, memo, Suspense, useEffect, useState } from "react";
import { previewText } from "../../../../src/domain/text/preview-text.js";
import { taggedParts } from "../../../../src/domain/text/tagged-text.js";
import { engine } from "../../app/engine.js";
import { usePreferences } from "../../app/preferences.js";
import type { EntryRow, ShortenedText } from "../../engine/message-protocol.js";
import type { TracedAgent } from "../../engine/trace-protocol.js";
import { changeQuery, type SessionRoute, sessionAddress } from "../../model/address.js";
import { formatBytes, formatInstant } from "../../model/formats.js";
import { isNestedTooDeep } from "../../model/markdown-nesting.js";
import { STRINGS } from "../../strings/strings.js";
import { CallInput } from "../changes/call-input.js";
import { ErrorBoundary } from "../parts/error-boundary.js";
import { Labelled, TextBlock } from "../parts/text-block.js";
import styles from "./message-entry.module.css";

const Markdown = lazy(() => import("./markdown.js"));
const Images = lazy(() => import("../texts/images.js"));

/** Longer texts are shown as they are written: rendering their Markdown would block the page. */
const MAX_MARKDOWN = 5000;

interface MessageEntryProps {
  readonly row: EntryRow | undefined;
  readonly index: number;
  readonly number: string;
  readonly route: SessionRoute;
  /** The hit that was opened lies in it: what is folded in it opens. */
  readonly found: boolean;
  /** The sub-agents that it asked something of. */
  readonly agents: readonly TracedAgent[];
}

const { messages: strings } = STRINGS;

export const MessageEntry = memo(function MessageEntry(props: MessageEntryProps) {
  const { row, index, route, number, found, agents } = props;
  const { agent } = route.query;
  if (row === undefined) return <div className={styles.entry} aria-busy="true" />;
  return (
    <article
      className={styles.entry}
      data-origin={row.origin}
      data-removed={row.removal === undefined ? undefined : row.removal.cause}
      aria-label={`${strings.origins[row.origin]} ${number}`}
    >
      {row.opensSpeaker && (
        <header className={styles.speaker}>
          <h2>{strings.origins[row.origin === "tool" ? "assistant" : row.origin]}</h2>
          <a
            href={sessionAddress(route, "messages", changeQuery({}, { agent, at: String(row.messageIndex) }))}
            title={strings.link}
          >
            #{row.messageIndex}
          </a>
        </header>
      )}
      {row.removal !== undefined && <Removal removal={row.removal} />}
      <ErrorBoundary key={row.key} fallback={<PlainEntry row={row} index={index} />}>
        <EntryBody row={row} index={index} found={found} />
      </ErrorBoundary>
      {agents.map(({ id, name }) => (
        <p key={id} className={styles.agent}>
          <a href={sessionAddress(route, "messages", { agent: id })}>{STRINGS.detail.conversation(name)}</a>
        </p>
      ))}
    </article>
  );
});

/** Says that later model calls did not see what follows, and why. */
function Removal({ removal: { cause, timestamp } }: { readonly removal: NonNullable<EntryRow["removal"]> }) {
  const { zone } = usePreferences();
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return (
    <p className={styles.note}>
      {strings.removals[cause === "rewind" ? "rewind" : "cleared"]}
      {Number.isNaN(at) ? "" : ` ${formatInstant(at, zone)}`}
    </p>
  );
}

interface EntryBodyProps {
  readonly row: EntryRow;
  readonly index: number;
  readonly found: boolean;
}

function EntryBody({ row, index, found }: EntryBodyProps) {
  const { text } = row;
  switch (row.type) {
    case "text":
      // A text that was cut is too long to be rendered.
      return text.length > text.text.length ? (
        <RecordedText text={text} index={index} which="part" />
      ) : (
        taggedParts(text.text).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and never move
          <Labelled key={index} label={part.label}>
            <SpokenText text={part.text} />
          </Labelled>
        ))
      );
    case "thinking":
      return (
        <details className={styles.thinking} open={found}>
          <summary>
            {strings.thinking} <span>{previewText(text.text)}</span>
          </summary>
          <RecordedText text={text} index={index} which="part" />
        </details>
      );
    case "call":
    case "result":
      return <ToolCall row={row} index={index} found={found} />;
    case "image":
      return <RecordedImages index={index} />;
    case "other":
      return <RecordedText text={text} index={index} which="part" lines={8} />;
    default: {
      row.type satisfies never;
      return null;
    }
  }
}

/** A text as Markdown, as far as rendering it costs little. */
function SpokenText({ text }: { readonly text: string }) {
  if (text.length > MAX_MARKDOWN) return <TextBlock text={text} />;
  if (isNestedTooDeep(text)) return <PlainText text={text} />;
  return (
    <Suspense fallback={<div className={styles.plain}>{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  );
}

function PlainText({ text }: { readonly text: string }) {
  return (
    <>
      <p className={styles.note}>{strings.plain}</p>
      <TextBlock text={text} />
    </>
  );
}

/** An entry as it was recorded, in the place of one that cannot be shown as what it is. */
function PlainEntry({ row, index }: { readonly row: EntryRow; readonly index: number }) {
  const { text, result } = row;
  return (
    <>
      <p className={styles.note}>{strings.plain}</p>
      <RecordedText text={text} index={index} which="part" />
      {result !== undefined && <RecordedText text={result.text} index={index} which="result" />}
    </>
  );
}

interface RecordedTextProps {
  readonly text: ShortenedText;
  readonly index: number;
  readonly which: "part" | "result";
  readonly lines?: number;
}

/** A text of an entry as it was recorded. */
function RecordedText({ text: { text, length }, index, which, lines = 24 }: RecordedTextProps) {
  const whole = () => engine.call("messageFullText", index, which);
  return <TextBlock text={text} length={length} lines={lines} whole={whole} />;
}

function RecordedImages({ index }: { readonly index: number }) {
  return (
    <Suspense fallback={null}>
      <Images ask={() => engine.call("messageImages", index)} />
    </Suspense>
  );
}

const CodeBlock = lazy(() => import("./code-block.js"));

/** A tool call on one line that unfolds to its input and its result. A failed one is unfolded at first. */
function ToolCall({ row, index, found }: EntryBodyProps) {
  const isCall = row.type === "call";
  const result = row.result;
  const failed = result?.isError === true;
  const [open, setOpen] = useState(failed || !isCall);
  useEffect(() => {
    if (found) setOpen(true);
  }, [found]);
  return (
    <div className={styles.tool} data-failed={failed}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
        <b>{isCall ? row.name : strings.output}</b>
        <span className={styles.preview}>{row.preview}</span>
        <small>{resultSummary(row)}</small>
      </button>
      {open && isCall && (
        <>
          <h3>{strings.input}</h3>
          {row.text.text === "" ? (
            <p>{strings.noInput}</p>
          ) : (
            <CallInput
              ask={() => engine.call("messageChanges", index)}
              recorded={
                <Suspense fallback={<TextBlock text={row.text.text} />}>
                  <CodeBlock
                    text={row.text.text}
                    length={row.text.length}
                    language="json"
                    whole={() => engine.call("messageFullText", index, "part")}
                  />
                </Suspense>
              }
              rest={(rest) => (
                <Suspense fallback={null}>
                  <CodeBlock text={JSON.stringify(rest, null, 2)} language="json" />
                </Suspense>
              )}
            />
          )}
        </>
      )}
      {open && result !== undefined && (
        <>
          <h3>{strings.output}</h3>
          <RecordedText text={result.text} index={index} which="result" lines={16} />
          {result.images > 0 && <RecordedImages index={index} />}
        </>
      )}
      {open && !isCall && (
        <>
          <RecordedText text={row.text} index={index} which="part" lines={16} />
          {row.images > 0 && <RecordedImages index={index} />}
        </>
      )}
    </div>
  );
}

function resultSummary({ type, result, text }: EntryRow): string {
  if (type === "result") return formatBytes(text.length);
  if (result === undefined) return strings.noResult;
  return result.isError ? `✕ ${strings.failed}` : formatBytes(result.text.length);
}
