import { nextOrder, type TraceLayout, type TraceSort } from "../../model/trace/trace-order.js";
import { STRINGS } from "../../strings/strings.js";
import { TRACE_STRINGS } from "../../strings/trace-strings.js";
import styles from "./sort-header.module.css";

interface SortHeaderProps {
  readonly column: TraceSort["column"];
  readonly order: TraceLayout;
  onSort(order: string): void;
}

const { trace } = STRINGS;

const COLUMNS: {
  readonly [column in TraceSort["column"]]: { readonly name: string; readonly hint: string };
} = {
  duration: { name: trace.duration, hint: trace.durationHint },
  added: { name: trace.added, hint: trace.addedHint },
  cost: { name: TRACE_STRINGS.cost, hint: TRACE_STRINGS.costHint },
};

export function SortHeader({ column, order, onSort }: SortHeaderProps) {
  const sort = typeof order !== "string" && order.column === column ? order : undefined;
  const direction = sort && (sort.descending ? "descending" : "ascending");
  return (
    <span role="columnheader" aria-sort={direction} className={styles.header}>
      <button
        type="button"
        title={`${COLUMNS[column].hint}\n${trace.sortHint}`}
        onClick={() => onSort(nextOrder(order, column))}
      >
        {COLUMNS[column].name}
        <span aria-hidden="true">{sort && (sort.descending ? " ↓" : " ↑")}</span>
      </button>
    </span>
  );
}
