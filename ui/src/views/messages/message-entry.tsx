import { memo } from "react";
import { previewText } from "../../../../src/domain/text/preview-text.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { usePreferences } from "../../app/preferences.js";
import type { EntryRow } from "../../engine/messages/message-protocol.js";
import type { SessionRoute } from "../../model/address/address.js";
import { formatInstant } from "../../model/text/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { ErrorBoundary } from "../parts/error-boundary.js";
import { EntryHead } from "./entry-head.js";
import { RecordedImages, RecordedText, StatementText } from "./entry-texts.js";
import styles from "./message-entry.module.css";
import { ToolCall } from "./tool-call.js";
import { useCompleteTexts, useUnfolded } from "./unfolding.js";
import type { Prompter, RequestedAgent } from "./use-agents.js";
import type { OutlinedTurn } from "./use-turns.js";

interface MessageEntryProps {
  readonly row: EntryRow | undefined;
  readonly index: number;
  readonly number: string;
  readonly route: SessionRoute;
  /** Target of the address: marked and unfolded. */
  readonly isSought: boolean;
  readonly turn: OutlinedTurn | undefined;
  readonly turnNumber: number;
  readonly prompter: Prompter | undefined;
  readonly agents: readonly RequestedAgent[];
}

const { messages: strings } = STRINGS;

export const MessageEntry = memo(function MessageEntry(props: MessageEntryProps) {
  const { row, index, route, number, isSought, turn, turnNumber, prompter, agents } = props;
  if (row === undefined) return <div className={styles.entry} aria-busy="true" />;
  return (
    <article
      className={styles.entry}
      data-origin={row.origin}
      data-removed={row.removal === undefined ? undefined : row.removal.cause}
      data-sought={isSought}
      aria-current={isSought ? "true" : undefined}
      aria-label={`${strings.origins[row.origin]} ${number}`}
      tabIndex={-1}
    >
      <EntryHead row={row} route={route} turn={turn} turnNumber={turnNumber} prompter={prompter} />
      {row.removal !== undefined && <Removal removal={row.removal} />}
      <ErrorBoundary key={row.key} fallback={<PlainEntry row={row} index={index} />}>
        <EntryBody row={row} index={index} route={route} isSought={isSought} agents={agents} />
      </ErrorBoundary>
    </article>
  );
});

function Removal({ removal: { cause, timestamp } }: { readonly removal: NonNullable<EntryRow["removal"]> }) {
  const { zone } = usePreferences();
  const at = plausibleInstant(timestamp);
  return (
    <p className={styles.note}>
      {strings.removals[cause === "rewind" ? "rewind" : "cleared"]}
      {at === undefined ? "" : ` ${formatInstant(at, zone)}`}
    </p>
  );
}

interface EntryBodyProps {
  readonly row: EntryRow;
  readonly index: number;
  readonly route: SessionRoute;
  readonly isSought: boolean;
  readonly agents: readonly RequestedAgent[];
}

function EntryBody({ row, index, route, isSought, agents }: EntryBodyProps) {
  const isComplete = useCompleteTexts(isSought);
  switch (row.type) {
    case "text":
      return <StatementText text={row.text} index={index} isComplete={isComplete} />;
    case "thinking":
      return <Thinking row={row} index={index} isSought={isSought} />;
    case "call":
    case "result":
      return <ToolCall row={row} index={index} route={route} isSought={isSought} agents={agents} />;
    case "image":
      return <RecordedImages index={index} />;
    case "other":
      return <RecordedText text={row.text} index={index} which="part" lines={8} isComplete={isComplete} />;
    default: {
      row.type satisfies never;
      return null;
    }
  }
}

interface ThinkingProps {
  readonly row: EntryRow;
  readonly index: number;
  readonly isSought: boolean;
}

function Thinking({ row: { key, text }, index, isSought }: ThinkingProps) {
  const [open, setOpen] = useUnfolded(key, false, isSought);
  const isComplete = useCompleteTexts(isSought);
  return (
    <details
      className={styles.thinking}
      open={open}
      onToggle={(event) => {
        if (event.currentTarget.open !== open) setOpen(!open);
      }}
    >
      <summary>
        {strings.thinking} <span>{previewText(text.text)}</span>
      </summary>
      <RecordedText text={text} index={index} which="part" isComplete={isComplete} />
    </details>
  );
}

function PlainEntry({ row, index }: { readonly row: EntryRow; readonly index: number }) {
  const { text, result } = row;
  return (
    <>
      <p className={styles.note}>{strings.plain}</p>
      <RecordedText text={text} index={index} which="part" isComplete={false} />
      {result !== undefined && (
        <RecordedText text={result.text} index={index} which="result" isComplete={false} />
      )}
    </>
  );
}
