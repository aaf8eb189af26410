import { lazy, Suspense, useState } from "react";
import { engine } from "../../app/engine.js";
import type { EntryRow } from "../../engine/message-protocol.js";
import { formatBytes } from "../../model/formats.js";
import { STRINGS } from "../../strings.js";
import { TextBlock } from "../parts/text-block.js";
import { EntryImages } from "./entry-images.js";
import styles from "./message-entry.module.css";

const CodeBlock = lazy(() => import("./code-block.js"));

const { messages: strings } = STRINGS;

/** A tool call on one line, joined with what came back; both unfold. A failed one is open from the start. */
export function ToolCall({ row, place }: { readonly row: EntryRow; readonly place: number }) {
  const isCall = row.type === "call";
  const result = row.result;
  const failed = result?.isError === true;
  const [open, setOpen] = useState(failed || !isCall);
  return (
    <div className={styles.tool} data-failed={failed}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span aria-hidden="true">{open ? "▾" : "▸"}</span>
        <b>{isCall ? row.name : strings.output}</b>
        <span className={styles.preview}>{row.preview}</span>
        <small>{told(row)}</small>
      </button>
      {open && isCall && (
        <>
          <h3>{strings.input}</h3>
          <Suspense fallback={<TextBlock text={row.text.text} />}>
            <CodeBlock
              text={row.text.text}
              length={row.text.length}
              language="json"
              whole={() => engine.call("messageWhole", place, "part")}
            />
          </Suspense>
        </>
      )}
      {open && result !== undefined && (
        <>
          <h3>{strings.output}</h3>
          <TextBlock
            text={result.text.text}
            length={result.text.length}
            lines={16}
            whole={() => engine.call("messageWhole", place, "result")}
          />
          <EntryImages images={result.images} />
        </>
      )}
      {open && !isCall && (
        <TextBlock
          text={row.text.text}
          length={row.text.length}
          lines={16}
          whole={() => engine.call("messageWhole", place, "part")}
        />
      )}
    </div>
  );
}

function told({ type, result, text }: EntryRow): string {
  if (type === "result") return formatBytes(text.length);
  if (result === undefined) return strings.noResult;
  return result.isError ? `✕ ${strings.failed}` : formatBytes(result.text.length);
}
