import { type Bar, measureText } from "../../model/overview/bar-chart.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { longTime, seriesText, totalText } from "./overview-texts.js";
import { colourOf } from "./series-colour.js";
import styles from "./usage-chart.module.css";
import type { VisibleBars } from "./visible-bars.js";

interface BarValuesProps extends Omit<VisibleBars, "bars"> {
  readonly bar: Bar;
  readonly x: number;
  readonly width: number;
}

const WIDTH = 210;

export function BarValues({ bar, series, by, stack, measure, zone, x, width }: BarValuesProps) {
  const { from = "", to = "" } = bar.row;
  const left = x + WIDTH + 24 > width ? x - WIDTH - 12 : x + 12;
  const parts = bar.values.map((value, i) => ({ value, i })).filter(({ value }) => value > 0);
  return (
    <div
      className={styles.values}
      style={{ left: `${Math.max(0, left)}px`, width: `${WIDTH}px` }}
      aria-hidden="true"
    >
      <p>{longTime(from, to, by, zone)}</p>
      <p className={styles.sum}>
        <span>{strings.total}</span>
        <b>{totalText(bar, measure)}</b>
      </p>
      {parts.reverse().map(({ value, i }) => (
        <p key={series[i]}>
          <i className={styles.swatch} data-series={colourOf(series, i)} />
          <span>{seriesText(series[i]!, stack)}</span>
          <b>{measureText(value, measure)}</b>
        </p>
      ))}
      <p className={styles.hint}>{strings.narrow}</p>
    </div>
  );
}
