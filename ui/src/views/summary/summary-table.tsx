import { type SessionRoute, sessionAddress } from "../../model/address/address.js";
import type { SummaryRow } from "../../model/summary/summary-rows.js";
import styles from "./summary.module.css";

interface SummaryTableProps<Row extends SummaryRow> {
  readonly route: SessionRoute;
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
  cells(row: Row): readonly string[];
}

export function SummaryTable<Row extends SummaryRow>({
  route,
  label,
  heads,
  rows,
  cells,
}: SummaryTableProps<Row>) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row" style={{ "--share": `${(row.share * 100).toFixed(2)}%` }}>
                <RowLabel route={route} row={row} />
              </th>
              {cells(row).map((cell, i) => (
                <td key={heads[i + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RowLabel({
  route,
  row: { label, note, target },
}: {
  readonly route: SessionRoute;
  readonly row: SummaryRow;
}) {
  return (
    <>
      {target === undefined ? (
        <span title={label}>{label}</span>
      ) : (
        <a href={sessionAddress(route, target.tab, target.query)} title={label}>
          {label}
        </a>
      )}
      {note !== undefined && <small>{note}</small>}
    </>
  );
}
