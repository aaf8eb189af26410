import { Suspense } from "react";
import { formatBytes } from "../../../../src/domain/text/figures.js";
import { engine } from "../../app/engine.js";
import type { EntryRow } from "../../engine/messages/message-protocol.js";
import { type SessionRoute, sessionAddress } from "../../model/address/address.js";
import { STRINGS } from "../../strings/strings.js";
import { CallInput } from "../changes/call-input.js";
import { EditedLines } from "../parts/edited-lines.js";
import { lazyView } from "../parts/lazy-view.js";
import { TextBlock } from "../texts/text-block.js";
import { RecordedImages, RecordedText } from "./entry-texts.js";
import { StepCost, StepDuration } from "./step-facts.js";
import styles from "./tool-call.module.css";
import { useCompleteTexts, useUnfolded } from "./unfolding.js";
import type { RequestedAgent } from "./use-agents.js";

const CodeBlock = lazyView(() => import("../texts/code-block.js"));

const { messages: strings } = STRINGS;

interface ToolCallProps {
  readonly row: EntryRow;
  readonly index: number;
  readonly route: SessionRoute;
  readonly isSought: boolean;
  readonly agents: readonly RequestedAgent[];
}

/** Unfolds to input and result; a failed call starts unfolded. */
export function ToolCall({ row, index, route, isSought, agents }: ToolCallProps) {
  const isCall = row.type === "call";
  const result = row.result;
  const failed = result?.isError === true;
  const [open, setOpen] = useUnfolded(row.key, failed || !isCall, isSought);
  const isComplete = useCompleteTexts(isSought);
  const texts = { index, isComplete, lines: 16 };
  return (
    <div className={styles.tool} data-failed={failed}>
      <div className={styles.head}>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span aria-hidden="true">{open ? "▾" : "▸"}</span>
          <b>{isCall ? row.name : strings.output}</b>
          <span className={styles.preview}>{row.preview}</span>
          <small>
            <EditedLines lines={row.lines} />
            <StepDuration step={row.tool} />
            <StepCost step={row.tool} />
            <span className={styles.outcome}>{resultSummary(row)}</span>
          </small>
        </button>
        {agents.map(({ id, name }) => (
          <a key={id} href={sessionAddress(route, "messages", { agent: id })}>
            {STRINGS.detail.conversation(name)}
          </a>
        ))}
      </div>
      {open && isCall && (
        <>
          <h3>{strings.input}</h3>
          {row.text.text === "" ? <p>{strings.noInput}</p> : <Input row={row} index={index} />}
        </>
      )}
      {open && result !== undefined && (
        <>
          <h3>
            {strings.output}
            {agents.map(({ id, name }) => (
              <a key={id} href={sessionAddress(route, "messages", { agent: id })}>
                {strings.resultOf(name)}
              </a>
            ))}
          </h3>
          <RecordedText text={result.text} which="result" {...texts} />
          {result.images > 0 && <RecordedImages index={index} />}
        </>
      )}
      {open && !isCall && (
        <>
          <RecordedText text={row.text} which="part" {...texts} />
          {row.images > 0 && <RecordedImages index={index} />}
        </>
      )}
    </div>
  );
}

function Input({ row: { text, tool }, index }: { readonly row: EntryRow; readonly index: number }) {
  return (
    <CallInput
      ask={() => engine.call("messageChanges", index)}
      // The call's end in the trace describes the change.
      version={tool?.state}
      recorded={
        <Suspense fallback={<TextBlock text={text.text} />}>
          <CodeBlock
            text={text.text}
            length={text.length}
            language="json"
            full={() => engine.call("messageFullText", index, "part")}
          />
        </Suspense>
      }
      rest={(rest) => (
        <Suspense fallback={null}>
          <CodeBlock text={JSON.stringify(rest, null, 2)} language="json" />
        </Suspense>
      )}
    />
  );
}

function resultSummary({ type, result, text }: EntryRow): string {
  if (type === "result") return formatBytes(text.length);
  if (result === undefined) return strings.noResult;
  return result.isError ? `✕ ${strings.failed}` : formatBytes(result.text.length);
}
