import { type ReactNode, useState } from "react";
import { MOST_LISTED_ROWS } from "../../../../src/domain/overview/overview.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { type RowOrder, type SortValue, sortRows } from "../../model/overview/row-order.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import styles from "./overview.module.css";

export interface RankedColumn<Row> {
  readonly name: string;
  readonly hint?: string;
  /** `undefined` comes last. */
  value(row: Row): SortValue;
  cell(row: Row): ReactNode;
}

interface RankedTableProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly name: string;
  rowKey(row: Row): string;
  label(row: Row): string;
  hint?(row: Row): string | undefined;
  address(row: Row): string | undefined;
  share?(row: Row): number;
  readonly columns: readonly RankedColumn<Row>[];
}

const TOP_ROWS = 10;

/** Sortable, and expands to all rows. Renders nothing without rows. */
export function RankedTable<Row>(props: RankedTableProps<Row>) {
  const { title, rows, name } = props;
  const columns = props.columns.filter(({ value }) => rows.some((row) => value(row) !== undefined));
  const [order, setOrder] = useState<RowOrder>();
  const [isOpen, setOpen] = useState(false);
  if (rows.length === 0) return null;
  const sorting = columns.find((column) => column.name === order?.column);
  const value = sorting?.value ?? ((row: Row) => props.label(row).toLowerCase());
  const sorted = order === undefined ? rows : sortRows(rows, value, order.descending);
  const isMore = rows.length >= MOST_LISTED_ROWS;
  return (
    <div className={styles.section}>
      <div className={styles.title}>
        <h2>{title}</h2>
        {rows.length > TOP_ROWS && (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? strings.top(formatCount(TOP_ROWS)) : strings.all(formatCount(rows.length), isMore)}
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where it has little room */}
      <section className={styles.scroll} aria-label={title} tabIndex={0}>
        <table className={styles.table} aria-label={title}>
          <thead>
            <tr>
              {[{ name, hint: undefined }, ...columns].map((column, i) => (
                <SortHead
                  key={column.name}
                  name={column.name}
                  hint={column.hint}
                  order={order?.column === column.name ? order : undefined}
                  onSort={() => setOrder(nextOrder(order, column.name, i > 0))}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {(isOpen ? sorted : sorted.slice(0, TOP_ROWS)).map((row) => (
              <tr key={props.rowKey(row)}>
                <RowHead {...props} row={row} />
                {columns.map((column) => (
                  <td key={column.name}>{column.cell(row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** Names from A, numbers from the largest; then reversed; then unsorted. */
function nextOrder(order: RowOrder | undefined, column: string, isNumber: boolean): RowOrder | undefined {
  if (order?.column !== column) return { column, descending: isNumber };
  return order.descending === isNumber ? { column, descending: !isNumber } : undefined;
}

interface SortHeadProps {
  readonly name: string;
  readonly hint: string | undefined;
  readonly order: RowOrder | undefined;
  onSort(): void;
}

function SortHead({ name, hint, order, onSort }: SortHeadProps) {
  const direction = order && (order.descending ? "descending" : "ascending");
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" title={hint ?? strings.sortBy(name)} onClick={onSort}>
        {name}
        <span aria-hidden="true">{order && (order.descending ? " ↓" : " ↑")}</span>
      </button>
    </th>
  );
}

function RowHead<Row>({ row, label, hint, address, share }: RankedTableProps<Row> & { readonly row: Row }) {
  const text = label(row);
  const fullText = hint?.(row) ?? text;
  const href = address(row);
  const part = Math.min(1, share?.(row) ?? 0);
  return (
    <th scope="row" style={{ "--share": `${(part * 100).toFixed(2)}%` }}>
      {href === undefined ? (
        <span title={fullText}>{text}</span>
      ) : (
        <a href={href} title={fullText}>
          {text}
        </a>
      )}
    </th>
  );
}
