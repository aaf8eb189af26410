import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { putColumnWidth } from "../../app/preferences.js";
import { columnWidth } from "../../model/sessions/session-columns.js";
import type { SessionColumn } from "../../model/sessions/session-table.js";
import { FILTER_STRINGS } from "../../strings/filter-strings.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./session-table.module.css";

const STEP = 8;

interface ColumnEdgeProps {
  readonly column: SessionColumn;
  readonly name: string;
  readonly width: number | undefined;
}

/** Dragged, or moved by arrow keys. A double click or Enter resets it. */
export function ColumnEdge({ column, name, width }: ColumnEdgeProps) {
  const [drag, setDrag] = useState<{ readonly x: number; readonly width: number; readonly now: number }>();
  const widthOf = (edge: Element) => Math.round(edge.parentElement!.getBoundingClientRect().width);
  const move = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    if (drag === undefined) return;
    const now = columnWidth(drag.width + clientX - drag.x);
    // Sets the style without rendering rows.
    currentTarget.closest<HTMLElement>('[role="grid"]')!.style.setProperty(`--put-${column}`, `${now}px`);
    setDrag({ ...drag, now });
  };
  const release = () => {
    if (drag !== undefined && drag.now !== drag.width) putColumnWidth(column, drag.now);
    setDrag(undefined);
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowRight" ? STEP : event.key === "ArrowLeft" ? -STEP : 0;
    if (event.key === "Enter") putColumnWidth(column, undefined);
    else if (step !== 0) putColumnWidth(column, widthOf(event.currentTarget) + step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={FILTER_STRINGS.edge(name)}
      aria-valuenow={drag?.now ?? width ?? 0}
      aria-valuemin={0}
      aria-valuemax={900}
      tabIndex={0}
      title={STRINGS.divider}
      className={styles.edge}
      data-dragged={drag !== undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const from = widthOf(event.currentTarget);
        setDrag({ x: event.clientX, width: from, now: from });
      }}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onDblClick={() => putColumnWidth(column, undefined)}
      onKeyDown={press}
    />
  );
}
