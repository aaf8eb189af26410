import { measureText } from "../../model/overview/bar-chart.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import styles from "./overview.module.css";
import { longTime, seriesText, totalText } from "./overview-texts.js";
import type { VisibleBars } from "./visible-bars.js";

interface UsageTableProps extends VisibleBars {
  /** Otherwise only for screen readers. */
  readonly isVisible: boolean;
}

export function UsageTable({ bars, series, by, stack, measure, zone, isVisible }: UsageTableProps) {
  const label = strings.chart(strings.measures[measure], strings.times[by].toLowerCase());
  const used = [...series.keys()].filter((i) => bars.some(({ values }) => values[i] !== 0));
  const table = (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{strings.time}</th>
          <th scope="col">{strings.total}</th>
          {used.map((i) => (
            <th key={series[i]} scope="col" title={series[i]}>
              {seriesText(series[i]!, stack)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.toReversed().map((bar) => (
          <tr key={bar.row.from ?? bar.row.name}>
            <th scope="row">{longTime(bar.row.from ?? "", bar.row.to ?? "", by, zone)}</th>
            <td>{totalText(bar, measure)}</td>
            {used.map((i) => (
              <td key={series[i]}>{bar.values[i] === 0 ? "" : measureText(bar.values[i]!, measure)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!isVisible) return <div className="visually-hidden">{table}</div>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={styles.numbers} aria-label={strings.showTable} tabIndex={0}>
      {table}
    </section>
  );
}
