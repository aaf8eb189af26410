import { useCallback, useEffect, useMemo, useRef } from "react";
import { engine } from "../../app/engine.js";
import { usePreferences } from "../../app/preferences.js";
import { useRowKeys } from "../../app/row-moves.js";
import { useVirtualRows } from "../../app/use-rows.js";
import { useWidth } from "../../app/use-width.js";
import type { AgentRow, AgentsViewModel } from "../../engine/agents/agent-protocol.js";
import {
  type AgentColumn,
  type AgentSort,
  columnsWithin,
  isNumber,
  nextAgentSort,
} from "../../model/agents/agents-query.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import { Divider, type Split, useSplit } from "../parts/divider.js";
import { TimeRuler } from "../parts/time-ruler.js";
import styles from "./agent-grid.module.css";
import { AgentGridRow } from "./agent-grid-row.js";

const ROW = 26;

const COLUMNS: Split = {
  name: "agents",
  property: "--columns",
  sets: "left",
  byDefault: 0.62,
  least: 0.2,
  most: 0.85,
};

/** Up to this width there is no divider, and the columns take this part. */
const NARROW = 520;
const NARROW_PART = 0.74;

interface AgentGridProps {
  readonly view: AgentsViewModel;
  readonly busy: boolean;
  readonly sort: AgentSort | undefined;
  /** The start of keyboard moves; `line` is -1 without a line. */
  readonly cursor: string | undefined;
  readonly line: number;
  onMove(row: AgentRow, line: number): void;
  onSelect(row: AgentRow, line: number): Promise<void> | undefined;
  onToggle(id: string): Promise<void>;
  onSort(sort: string): void;
}

/** One line per agent: columns and lane. Renders only visible lines. */
export function AgentGrid(props: AgentGridProps) {
  const { view, busy, sort, cursor, line, onMove, onSelect, onToggle, onSort } = props;
  const scroller = useRef<HTMLDivElement | null>(null);
  const [watchWidth, width] = useWidth<HTMLDivElement>();
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      watchWidth(element);
    },
    [watchWidth],
  );
  const { agents: part = COLUMNS.byDefault } = usePreferences().splits;
  const isNarrow = width > 0 && width <= NARROW;
  const room = (width || innerWidth) * (isNarrow ? NARROW_PART : part);
  const columns = useMemo(() => columnsWithin(room, view.hasCost), [room, view.hasCost]);
  const { virtual, items, rowAt, currentRowAt } = useVirtualRows<AgentRow>({
    scroller,
    version: view.version,
    count: view.rows,
    height: ROW,
    overscan: 6,
    // The sticky header covers the first lines.
    scrollPaddingEnd: ROW + 4,
    first: view.first,
    load: (from, to) => engine.call("agentsRows", from, to),
  });
  // Reuses elements: a leaving line becomes the next entering one.
  const lines = useRef(1);
  lines.current = Math.max(lines.current, items.length);

  // Scrolls once per line of the selection, and not after the reader has scrolled.
  const renderedFor = useRef<string>(undefined);
  useEffect(() => {
    const target = `${line} ${cursor}`;
    if (line === -1 || line >= view.rows || renderedFor.current === target) return;
    renderedFor.current = target;
    virtual.scrollToIndex(line, { align: "auto" });
  }, [line, cursor, virtual, view.rows]);

  const fold = (folded: boolean) => (row: AgentRow) =>
    row.parts > 0 && row.folded !== folded ? onToggle(row.id) : undefined;
  useRowKeys(
    {
      line,
      rows: view.rows,
      rowAt: currentRowAt,
      load: async (index) => (await engine.call("agentsRows", index, index + 1))[0],
      onMove,
    },
    { h: fold(true), l: fold(false), ArrowLeft: fold(true), ArrowRight: fold(false), Enter: onSelect },
  );

  return (
    <div
      ref={attach}
      className={styles.grid}
      data-narrow={isNarrow}
      style={useSplit(COLUMNS)}
      role="treegrid"
      aria-label={strings.table}
      aria-rowcount={view.rows + 1}
      aria-busy={busy}
      aria-activedescendant={items.some(({ index }) => index === line) ? `agent-${line}` : undefined}
      tabIndex={0}
    >
      <div role="row" aria-rowindex={1} className={styles.head}>
        <div className={styles.columns}>
          {columns.map((column) => (
            <SortHeader key={column} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
        <span role="columnheader" className={styles.timeline}>
          <span className="visually-hidden">{strings.time}</span>
          <span className={styles.ruler}>
            <TimeRuler axis={view.axis} />
          </span>
          <Divider label={strings.split} split={COLUMNS} container={scroller} className={styles.divider} />
        </span>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <AgentGridRow
            key={index % lines.current}
            index={index}
            top={start}
            row={rowAt(index)}
            columns={columns}
            selected={index === line}
            onSelect={onSelect}
            onToggle={onToggle}
          />
        ))}
      </div>
    </div>
  );
}

interface SortHeaderProps {
  readonly column: AgentColumn;
  readonly sort: AgentSort | undefined;
  onSort(sort: string): void;
}

function SortHeader({ column, sort, onSort }: SortHeaderProps) {
  const own = sort?.column === column ? sort : undefined;
  const direction = own && (own.descending ? "descending" : "ascending");
  return (
    <span
      role="columnheader"
      aria-sort={direction}
      data-column={column}
      className={isNumber(column) ? styles.number : styles.text}
    >
      <button
        type="button"
        title={`${strings.columnHints[column]}\n${strings.sortHint}`}
        onClick={() => onSort(nextAgentSort(sort, column))}
      >
        {strings.columns[column]}
        <span aria-hidden="true">{own && (own.descending ? " ↓" : " ↑")}</span>
      </button>
    </span>
  );
}
