import { useId } from "react";
import type { NamedTotals, Overview } from "../../../../src/domain/overview/overview.js";
import { formatShare } from "../../../../src/domain/text/figures.js";
import type { AddressQuery } from "../../model/address/address.js";
import { type Bar, barsOf, measureText, seriesOf } from "../../model/overview/bar-chart.js";
import { joinFilters, narrowedTo, type OverviewChoice, TIMES } from "../../model/overview/overview-choice.js";
import type { ClockZone } from "../../model/text/formats.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { Options } from "./options.js";
import styles from "./overview.module.css";
import { seriesText } from "./overview-texts.js";
import { colourOf } from "./series-colour.js";
import { UsageChart } from "./usage-chart.js";
import chartStyles from "./usage-chart.module.css";
import { UsageTable } from "./usage-table.js";

interface UsageSectionProps {
  readonly overview: Overview | undefined;
  readonly choice: OverviewChoice;
  readonly zone: ClockZone;
  onChange(changes: AddressQuery): void;
}

export function UsageSection({ overview, choice, zone, onChange }: UsageSectionProps) {
  const id = useId();
  const { measure, isTable } = choice;
  // The data may still belong to the previous choice.
  const by = TIMES.find((time) => time === overview?.range.by) ?? choice.by;
  const stack = overview?.range.stack ?? choice.stack;
  const series = seriesOf(overview?.rows ?? []);
  const bars = barsOf(overview?.rows ?? [], series, measure);
  const visible = { bars, series, by, stack, measure, zone };
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.title}>
        <h2 id={id}>{strings.chart(strings.measures[measure], strings.times[by].toLowerCase())}</h2>
        <Options
          label={strings.shape}
          options={["chart", "table"]}
          names={{ chart: strings.showChart, table: strings.showTable }}
          chosen={isTable ? "table" : "chart"}
          onChoose={(name) => onChange({ table: name === "table" ? "1" : "" })}
        />
      </div>
      {bars.length === 0 && <div className={chartStyles.empty} />}
      {bars.length > 0 && !isTable && (
        <UsageChart
          {...visible}
          pace={by === "day" && measure === "cost" && choice.range !== "custom" ? overview?.pace : undefined}
          onNarrow={({ row }) => onChange(narrowedTo(row, by, zone))}
        />
      )}
      <Legend
        bars={bars}
        series={series}
        names={overview === undefined ? [] : namesOf(overview, stack)}
        choice={{ ...choice, stack }}
        onChange={onChange}
      />
      {measure === "sessions" && stack === "model" && <p className={styles.hint}>{strings.overlap}</p>}
      {bars.length > 0 && <UsageTable {...visible} isVisible={isTable} />}
    </section>
  );
}

function namesOf(
  { models, projects, sources }: Overview,
  stack: OverviewChoice["stack"],
): readonly NamedTotals[] {
  return { model: models, project: projects, source: sources }[stack];
}

interface LegendProps {
  readonly bars: readonly Bar[];
  readonly series: readonly string[];
  readonly names: readonly NamedTotals[];
  readonly choice: OverviewChoice;
  onChange(changes: AddressQuery): void;
}

function Legend({ bars, series, names, choice, onChange }: LegendProps) {
  const { stack, measure } = choice;
  const sums = series.map((_, i) => bars.reduce((sum, { values }) => sum + values[i]!, 0));
  const all = sums.reduce((sum, value) => sum + value, 0);
  return (
    <ul className={chartStyles.legend} aria-label={strings.legend}>
      {series.map((name, i) => {
        if (sums[i] === 0) return null;
        const filter = names.find((one) => one.name === name)?.filter;
        const text = seriesText(name, stack);
        const share = all === 0 ? "" : ` (${formatShare(sums[i]! / all)})`;
        return (
          <li key={name}>
            <i className={chartStyles.swatch} data-series={colourOf(series, i)} />
            {filter === undefined ? (
              <span title={name}>{text}</span>
            ) : (
              <button
                type="button"
                title={strings.legendHint(name)}
                onClick={() => onChange({ filter: joinFilters(choice.filter, filter) })}
              >
                {text}
              </button>
            )}
            <small>
              {measureText(sums[i]!, measure)}
              {measure === "sessions" ? "" : share}
            </small>
          </li>
        );
      })}
    </ul>
  );
}
