import { nextOrder, type TraceLayout, type TraceSort } from "../../model/trace-order.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./sort-header.module.css";

interface SortHeaderProps {
  readonly column: TraceSort["column"];
  readonly order: TraceLayout;
  onSort(order: string): void;
}

const { trace } = STRINGS;

const HINTS = { duration: trace.durationHint, added: trace.addedHint };

/** The header of a column by which calls can be sorted. */
export function SortHeader({ column, order, onSort }: SortHeaderProps) {
  const sort = typeof order !== "string" && order.column === column ? order : undefined;
  const direction = sort && (sort.descending ? "descending" : "ascending");
  return (
    <span role="columnheader" aria-sort={direction} className={styles.header}>
      <button
        type="button"
        title={`${HINTS[column]}\n${trace.sortHint}`}
        onClick={() => onSort(nextOrder(order, column))}
      >
        {trace[column]}
        <span aria-hidden="true">{sort && (sort.descending ? " ↓" : " ↑")}</span>
      </button>
    </span>
  );
}
