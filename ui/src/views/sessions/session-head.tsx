import type { AddressQuery } from "../../model/address.js";
import { type SessionColumn, type SessionSort, writeSort } from "../../model/session-table.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./session-table.module.css";

interface SessionHeadProps {
  readonly columns: readonly SessionColumn[];
  readonly sort: SessionSort;
  /** Whether sessions name the folders that tenants are called by. */
  readonly hasFolders: boolean;
  onChange(changes: AddressQuery): void;
}

/** The names of the columns, each of which sorts by it. */
export function SessionHead({ columns, sort, hasFolders, onChange }: SessionHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {columns.map((column) => {
        const sorted = sort.column === column;
        const direction = sorted ? (sort.descending ? "descending" : "ascending") : undefined;
        const descending = sorted ? !sort.descending : NUMBERS.has(column);
        return (
          <div role="columnheader" tabIndex={-1} key={column} aria-sort={direction} data-column={column}>
            <button type="button" onClick={() => onChange({ sort: writeSort({ column, descending }) ?? "" })}>
              {column === "tenant" && hasFolders ? STRINGS.list.project : STRINGS.columns[column]}
              <span aria-hidden="true">{sorted ? (sort.descending ? " ↓" : " ↑") : ""}</span>
            </button>
          </div>
        );
      })}
    </div>
  );
}

/** Columns that are sorted largest first at the first click. */
const NUMBERS: ReadonlySet<SessionColumn> = new Set([
  "errors",
  "duration",
  "turns",
  "tokens",
  "cost",
  "active",
]);
