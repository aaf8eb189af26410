import { useEffect, useRef, useState } from "react";
import type { SessionListState } from "../../engine/sessions/list-protocol.js";
import { choosableColumns, moveColumn, toggleColumn } from "../../model/sessions/session-columns.js";
import type { SessionColumn } from "../../model/sessions/session-table.js";
import { FILTER_STRINGS as strings } from "../../strings/filter-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { Popover } from "../parts/popover.js";
import styles from "./bar-menus.module.css";

interface ColumnsMenuProps {
  readonly list: SessionListState | undefined;
  readonly columns: readonly SessionColumn[];
  /** @param columns `undefined` for those that sessions fill */
  onChange(columns: readonly SessionColumn[] | undefined): void;
}

/** By buttons, or by dragging. */
export function ColumnsMenu({ list, columns, onChange }: ColumnsMenuProps) {
  const [dragged, setDragged] = useState<SessionColumn>();
  const rows = useRef<HTMLUListElement>(null);
  const pressed = useRef<string>(undefined);
  // A button loses the focus when its row moves.
  useEffect(() => {
    if (pressed.current === undefined) return;
    const button = rows.current?.querySelector<HTMLButtonElement>(`[data-move="${pressed.current}"]`);
    pressed.current = undefined;
    if (button?.disabled) button.parentElement?.querySelector<HTMLElement>("button:enabled")?.focus();
    else button?.focus();
  });
  const nameOf = (column: SessionColumn) =>
    column === "tenant" && list?.hasFolders ? STRINGS.list.project : STRINGS.columns[column];
  const hintOf = (column: SessionColumn) =>
    list?.columns.includes(column) === false
      ? strings.empty
      : list?.rarelyFilled.includes(column)
        ? strings.rare
        : "";
  const drop = (column: SessionColumn) => {
    if (dragged !== undefined) onChange(moveColumn(columns, dragged, columns.indexOf(column)));
    setDragged(undefined);
  };
  return (
    <Popover id="columns" label={strings.columns} hint={strings.columnsHint}>
      <ul ref={rows} className={styles.rows}>
        {choosableColumns(columns).map((column) => {
          const at = columns.indexOf(column);
          const isFixed = column === "title";
          const move = (name: "up" | "down", step: 1 | -1) => (
            <button
              type="button"
              aria-label={strings[name](nameOf(column))}
              data-move={`${column} ${name}`}
              disabled={isFixed || at === -1 || at + step < 1 || at + step >= columns.length}
              onClick={() => {
                pressed.current = `${column} ${name}`;
                onChange(moveColumn(columns, column, at + step));
              }}
            >
              {name === "up" ? "↑" : "↓"}
            </button>
          );
          return (
            <li
              key={column}
              draggable={at > 0}
              data-dragged={dragged === column}
              onDragStart={() => setDragged(column)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => at > 0 && dragged !== undefined && event.preventDefault()}
              onDrop={() => drop(column)}
            >
              <label>
                <input
                  type="checkbox"
                  checked={at !== -1}
                  disabled={isFixed}
                  onChange={() => onChange(toggleColumn(columns, column))}
                />
                {nameOf(column)} <small>{hintOf(column)}</small>
              </label>
              {move("up", -1)}
              {move("down", 1)}
            </li>
          );
        })}
      </ul>
      <button type="button" className={styles.whole} onClick={() => onChange(undefined)}>
        {strings.byDefault}
      </button>
    </Popover>
  );
}
