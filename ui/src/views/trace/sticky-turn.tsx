import { useState } from "react";
import { engine } from "../../app/engine.js";
import { useRequested } from "../../app/use-answer.js";
import type { RowHolder } from "../../engine/trace/trace-protocol.js";
import { STRINGS } from "../../strings/strings.js";
import { TRACE_STRINGS } from "../../strings/trace-strings.js";
import styles from "./sticky-turn.module.css";

interface StickyTurnProps {
  /** First completely visible line; `undefined` at the top. */
  readonly line: number | undefined;
  readonly version: number;
  /** Width of the uncovered scroll bar. */
  readonly scrollbar: number;
  onMove(id: string, line: number): void;
}

const NONE: readonly RowHolder[] = [];

/** Turn and sub-agents of the first visible line, with links to their lines. */
export function StickyTurn({ line, version, scrollbar, onMove }: StickyTurnProps) {
  const [holders, setHolders] = useState(NONE);
  useRequested(() => (line === undefined ? undefined : engine.call("traceHolders", line)), setHolders, [
    line,
    version,
  ]);
  if (line === undefined || holders.length === 0) return null;
  return (
    <nav className={styles.line} style={{ right: scrollbar }} aria-label={TRACE_STRINGS.within}>
      {holders.map(({ id, index, kind, name, preview }) => (
        <button key={id} type="button" data-kind={kind} onClick={() => onMove(id, index)}>
          <b>{(kind === "agent" && name) || STRINGS.kinds[kind]}</b> {preview}
        </button>
      ))}
    </nav>
  );
}
