import { useMemo } from "react";
import type {
  ComparedSession,
  SessionComparison,
} from "../../../../src/domain/compare/session-comparison.js";
import {
  formatCount,
  formatDuration,
  formatShare,
  formatSignedTokens,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import { contextTokens } from "../../../../src/domain/usage/token-counts.js";
import { changeAddress } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { type AddressQuery, changeQuery } from "../../model/address/address.js";
import { nearestPoint } from "../../model/charts/chart-point.js";
import { type ChartScale, chartScale, heightOf, validWindow } from "../../model/charts/chart-scale.js";
import {
  type CurveAxis,
  callNumber,
  type DrawnCurve,
  drawnCurves,
  placesOf,
  pointAt,
} from "../../model/compare/context-curve.js";
import { CHART_STRINGS } from "../../strings/chart-strings.js";
import { COMPARE_STRINGS } from "../../strings/compare-strings.js";
import { type ReadoutLine, ReadoutLines, readoutText } from "../parts/call-readout.js";
import { ChartReadout, useChartHover } from "../parts/chart-hover.js";
import { TokenAxis } from "../parts/token-axis.js";
import styles from "./context-curves.module.css";

const { curves: strings, names } = COMPARE_STRINGS;

const WIDTH = 1000;
const HEIGHT = 100;

interface ContextCurvesProps {
  readonly comparison: SessionComparison;
  readonly query: AddressQuery;
}

const MOST_TICKS = 4;

export function ContextCurves({ comparison: { sessions }, query }: ContextCurvesProps) {
  const axis: CurveAxis = query.axis === "time" ? "time" : "call";
  const curves = useMemo(() => drawnCurves(sessions, axis), [sessions, axis]);
  const isEmpty = curves.every(({ points }) => points.length === 0);
  const legends = curves.map(({ peak }, i) =>
    strings.peak(names[i]!, formatTokens(peak), formatCount(sessions[i]!.counts.modelCalls)),
  );
  const choose = (to: string) => changeAddress(changeQuery(query, { axis: to }));
  return (
    <section className={styles.curves} aria-label={strings.title}>
      <header>
        <h2>{strings.title}</h2>
        <div role="group" aria-label={strings.axis}>
          <button type="button" aria-pressed={axis === "call"} onClick={() => choose("")}>
            {strings.byCall}
          </button>
          <button type="button" aria-pressed={axis === "time"} onClick={() => choose("time")}>
            {strings.byTime}
          </button>
        </div>
      </header>
      {isEmpty ? (
        <p>{strings.none}</p>
      ) : (
        <figure>
          <figcaption>
            {legends.map((legend, i) => (
              <span key={legend} data-side={names[i]}>
                <i aria-hidden="true" />
                {legend}
              </span>
            ))}
            {curves.some(({ mark }) => mark !== undefined) && <span>{strings.mark}</span>}
          </figcaption>
          <CurveChart label={`${strings.title}. ${legends.join(". ")}`} sessions={sessions} curves={curves} />
        </figure>
      )}
    </section>
  );
}

interface CurveChartProps {
  readonly label: string;
  readonly sessions: readonly ComparedSession[];
  readonly curves: readonly DrawnCurve[];
}

function CurveChart({ label, sessions, curves }: CurveChartProps) {
  const windows = useAnswer(() => Promise.all(sessions.map(windowOf)), [sessions]) ?? [];
  const validWindows = curves.map(({ peak }, i) => validWindow(windows[i], peak));
  const peak = Math.max(0, ...curves.map((curve) => curve.peak));
  const window = Math.max(0, ...validWindows.map((one) => one ?? 0)) || undefined;
  const scale = chartScale(peak, window, MOST_TICKS);
  const places = useMemo(() => placesOf(curves), [curves]);
  const [at, , elementOf] = useChartHover({
    label,
    count: places.length,
    indexAt: (place) => nearestPoint(places, place),
  });
  const place = places[at ?? places.length - 1];
  const lines =
    place === undefined
      ? []
      : curves.flatMap((curve, i) => linesAt(curve, place, names[i]!, validWindows[i]));
  return (
    <div {...elementOf(readoutText(lines))} className={styles.chart}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {curves.map((curve, i) => (
          <g key={names[i]} data-side={names[i]}>
            <path d={curvePath(curve, scale)} />
            {curve.mark !== undefined && (
              <path className={styles.mark} d={`M${(curve.mark * WIDTH).toFixed(1)} 0v${HEIGHT}`} />
            )}
          </g>
        ))}
      </svg>
      <TokenAxis scale={scale} />
      {at !== undefined && place !== undefined && (
        <ChartReadout place={place}>
          <ReadoutLines lines={lines} />
        </ChartReadout>
      )}
    </div>
  );
}

function windowOf({ models, startedAt }: ComparedSession): Promise<number | undefined> {
  const read = ({ usage }: ComparedSession["models"][number]) => contextTokens(usage);
  const [first, ...others] = models;
  if (first === undefined) return Promise.resolve(undefined);
  const { model } = others.reduce((most, one) => (read(one) > read(most) ? one : most), first);
  return engine.call("modelWindow", model, startedAt);
}

function linesAt(curve: DrawnCurve, place: number, name: string, window: number | undefined): ReadoutLine[] {
  const index = pointAt(curve, place);
  const point = curve.points[index];
  if (point === undefined) return [];
  const { ms, tokens } = point;
  const before = curve.points[index - 1];
  const number = callNumber(curve, index);
  const head = [name, number && CHART_STRINGS.call(number), CHART_STRINGS.after(formatDuration(ms))];
  const texts = [
    CHART_STRINGS.tokens(formatTokens(tokens)),
    before === undefined ? "" : formatSignedTokens(tokens - before.tokens),
    window === undefined ? "" : CHART_STRINGS.ofWindow(formatShare(tokens / window), formatTokens(window)),
  ];
  return [
    { name: "call", text: head.filter(Boolean).join(" · ") },
    { name: "tokens", text: texts.filter((text) => text !== "").join(" · ") },
  ];
}

/** A size lasts until the next call; the last is a separate stroke. */
function curvePath({ points }: DrawnCurve, scale: ChartScale): string {
  const y = (tokens: number) => (HEIGHT * (1 - heightOf(scale, tokens))).toFixed(1);
  return points
    .map(
      ({ x, tokens }, i) =>
        `${i === 0 ? "M" : "H"}${(x * WIDTH).toFixed(1)}${i === 0 ? " " : "V"}${y(tokens)}`,
    )
    .join("")
    .concat(points.length > 0 ? "h4" : "");
}
