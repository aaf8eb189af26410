import { useId } from "react";
import type { Overview } from "../../../../src/domain/overview/overview.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { useWidth } from "../../app/use-width.js";
import { axisValues } from "../../model/charts/axis-values.js";
import { stepPath } from "../../model/overview/step-path.js";
import { type ClockZone, formatInstant } from "../../model/text/formats.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import styles from "./overview.module.css";
import { shortTime } from "./overview-texts.js";
import chartStyles from "./usage-chart.module.css";

interface ConcurrencySectionProps {
  readonly overview: Overview;
  readonly zone: ClockZone;
}

/** In pixels. */
const HEIGHT = 72;
const LEFT = 54;

export function ConcurrencySection({ overview, zone }: ConcurrencySectionProps) {
  const id = useId();
  const [frame, width] = useWidth<HTMLDivElement>();
  const { points, pointMs: length, peakSessions, peakAgents, peakAt } = overview.concurrency;
  if (points.length === 0 || peakSessions === 0) return null;
  const peakInstant = plausibleInstant(peakAt);
  const instants = points.map(({ at }) => Date.parse(at));
  // For all time, the range with data.
  const { range } = overview;
  const from = range.from === undefined ? instants[0]! : Date.parse(range.from);
  const to = range.from === undefined ? instants.at(-1)! + length : Date.parse(range.to);
  const pixels = Math.max(0, width - LEFT) / Math.max(1, to - from);
  const top = axisValues(Math.max(peakAgents, peakSessions), 1).at(-1)!;
  const path = (value: "agents" | "sessions") =>
    stepPath(
      points.map((point, i) => ({
        x: (instants[i]! - from) * pixels,
        width: Math.max(1, length * pixels),
        y: HEIGHT * (1 - point[value] / top),
      })),
      HEIGHT,
    );
  const isShort = to - from <= 2 * 86_400_000;
  const peak = strings.peak(formatCount(peakSessions), formatCount(peakAgents));
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.title}>
        <h2 id={id}>{strings.concurrency}</h2>
        <p className={chartStyles.key}>
          <i className={chartStyles.swatch} data-series="agents" /> {strings.agentsAtATime}{" "}
          <i className={chartStyles.swatch} data-series="sessions" /> {strings.sessionsAtATime}
        </p>
      </div>
      <p className={styles.hint}>
        {peak}
        {peakInstant !== undefined && strings.peakAt(formatInstant(peakInstant, zone).slice(0, 16))}
      </p>
      <div ref={frame} className={chartStyles.curves}>
        <svg width={width} height={HEIGHT + 28} aria-hidden="true">
          {width > 0 && (
            <g transform={`translate(${LEFT} 6)`}>
              {[0, top].map((value) => (
                <g key={value}>
                  <line
                    className={value === 0 ? chartStyles.base : chartStyles.guide}
                    x2={width - LEFT}
                    y1={HEIGHT * (1 - value / top) + 0.5}
                    y2={HEIGHT * (1 - value / top) + 0.5}
                  />
                  <text className={chartStyles.value} x={-6} y={HEIGHT * (1 - value / top) + 4}>
                    {formatCount(value)}
                  </text>
                </g>
              ))}
              <path data-series="agents" d={path("agents")} />
              <path data-series="sessions" d={path("sessions")} />
              <text className={chartStyles.start} x={0} y={HEIGHT + 16}>
                {shortTime(new Date(from).toISOString(), isShort ? "hour" : "day", zone)}
              </text>
              <text className={chartStyles.value} x={width - LEFT} y={HEIGHT + 16}>
                {shortTime(new Date(to).toISOString(), isShort ? "hour" : "day", zone)}
              </text>
            </g>
          )}
        </svg>
      </div>
    </section>
  );
}
