import { type CSSProperties, memo } from "react";
import type { AgentRow } from "../../engine/agents/agent-protocol.js";
import { type AgentColumn, isNumber } from "../../model/agents/agents-query.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import { StatusMark } from "../parts/status-mark.js";
import { cellText, nameOf } from "./agent-cells.js";
import styles from "./agent-grid.module.css";
import { AgentLane } from "./agent-lane.js";

interface AgentGridRowProps {
  readonly index: number;
  readonly top: number;
  readonly row: AgentRow | undefined;
  readonly columns: readonly AgentColumn[];
  readonly selected: boolean;
  onSelect(row: AgentRow, index: number): void;
  onToggle(id: string): void;
}

const DEEPEST = 8;

export const AgentGridRow = memo(function AgentGridRow(props: AgentGridRowProps) {
  const { index, top, row, columns, selected, onSelect, onToggle } = props;
  const common = {
    id: `agent-${index}`,
    "aria-rowindex": index + 2,
    style: { transform: `translateY(${top}px)` },
  };
  if (row === undefined) return <div {...common} role="row" className={styles.row} aria-busy="true" />;
  const foldable = row.parts > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and the keys
    <div
      {...common}
      role="row"
      className={styles.row}
      aria-level={row.depth + 1}
      aria-expanded={foldable ? !row.folded : undefined}
      aria-selected={selected}
      data-type={row.type}
      data-aside={row.aside}
      onClick={() => onSelect(row, index)}
    >
      <div className={styles.columns}>
        {columns.map((column) => {
          if (column === "agent") return <NameCell key={column} row={row} onToggle={onToggle} />;
          const { text, title } = cellText(column, row);
          return (
            <div
              key={column}
              role="gridcell"
              data-column={column}
              className={isNumber(column) ? styles.number : styles.text}
              title={title === "" ? undefined : title}
            >
              {column === "state" ? row.state !== "" && <StatusMark status={row.state} /> : text}
            </div>
          );
        })}
      </div>
      <div role="gridcell" className={styles.track}>
        {row.lane.path.length > 0 && <span className="visually-hidden">{strings.onPath}</span>}
        <AgentLane lane={row.lane} state={row.state} />
      </div>
    </div>
  );
});

function NameCell({ row, onToggle }: { readonly row: AgentRow; onToggle(id: string): void }) {
  const name = nameOf(row);
  const role = row.type === "agent" && !row.name.includes(row.role) ? row.role : "";
  return (
    <div
      role="gridcell"
      data-column="agent"
      className={styles.text}
      title={role === "" ? name : `${name} (${role})`}
    >
      <span className={styles.name} style={{ "--depth": Math.min(row.depth, DEEPEST) } as CSSProperties}>
        {row.parts > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.fold}
            aria-label={row.folded ? "+" : "−"}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(row.id);
            }}
          >
            {row.folded ? "▸" : "▾"}
          </button>
        ) : (
          <i className={styles.leaf} />
        )}
        <b>{name}</b>
        {role !== "" && <small>{role}</small>}
      </span>
    </div>
  );
}
