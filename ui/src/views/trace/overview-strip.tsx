import { memo, useMemo } from "react";
import { formatTokens } from "../../../../src/domain/text/figures.js";
import { type Store, useStore } from "../../app/store.js";
import type { TraceOverview } from "../../engine/trace/trace-protocol.js";
import type { AddressQuery } from "../../model/address/address.js";
import { nearestPoint } from "../../model/charts/chart-point.js";
import { type ChartScale, chartScale, heightOf } from "../../model/charts/chart-scale.js";
import { instantAt, positionOf, type Stretch } from "../../model/charts/time-axis.js";
import { readFilters } from "../../model/trace/trace-filters.js";
import { CHART_STRINGS } from "../../strings/chart-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { type ReadCall, ReadoutLines, readoutText, useCallReadout } from "../parts/call-readout.js";
import { ChartBrush, ChartReadout, useChartHover } from "../parts/chart-hover.js";
import { TokenAxis } from "../parts/token-axis.js";
import styles from "./overview-strip.module.css";

interface OverviewStripProps {
  readonly overview: TraceOverview;
  readonly query: AddressQuery;
  /** Time range of the bars; `undefined` for the complete session. */
  readonly visible: Store<Stretch | undefined>;
  onChange(changes: AddressQuery): void;
  onSelect(id: string): void;
}

/** In the drawing's units; the width is 1000. */
const HEIGHT = 44;
const MOST_TICKS = 2;

/** Reads model calls out; a drag zooms. */
export function OverviewStrip({ overview, query, visible, onChange, onSelect }: OverviewStripProps) {
  const { curve, peakTokens, window } = overview;
  const axis = { segments: overview.axis };
  const { from, to } = readFilters(query);
  const zoom =
    from === undefined || to === undefined
      ? undefined
      : ([positionOf(axis, from), positionOf(axis, to)] as const);
  const places = useMemo(() => curve.map(({ x }) => x), [curve]);
  const scale = useMemo(() => chartScale(peakTokens, window, MOST_TICKS), [peakTokens, window]);
  const [at, drag, elementOf] = useChartHover({
    label: STRINGS.trace.overview,
    count: curve.length,
    indexAt: (place) => nearestPoint(places, place),
    onChoose: (index) => onSelect(curve[index]!.id),
    onBrush: (a, b) => onChange({ from: instantAt(axis, a).toFixed(0), to: instantAt(axis, b).toFixed(0) }),
  });
  const call = at === undefined ? undefined : curve[at];
  const lines = useCallReadout(call && readCall(call), overview);
  const chosen = drag ?? zoom;
  return (
    <div className={styles.overview}>
      <div
        {...elementOf(readoutText(lines) ?? STRINGS.trace.peak(formatTokens(peakTokens)))}
        className={styles.strip}
      >
        <Drawing overview={overview} scale={scale} />
        <VisibleWindow overview={overview} visible={visible} />
        {chosen !== undefined && <ChartBrush between={chosen} />}
        {peakTokens > 0 && <TokenAxis scale={scale} unit={CHART_STRINGS.context} />}
        {call !== undefined && drag === undefined && (
          <ChartReadout place={call.x}>
            <ReadoutLines lines={lines} />
          </ChartReadout>
        )}
      </div>
      {overview.errors.map(({ id, x }) => (
        <button
          key={id}
          type="button"
          tabIndex={-1}
          aria-label={STRINGS.kinds.error}
          className={styles.error}
          style={{ left: `${x * 100}%` }}
          onClick={() => onSelect(id)}
        />
      ))}
      {peakTokens === 0 && <span className={styles.peak}>{STRINGS.noTokenCounts}</span>}
      {zoom !== undefined && (
        <button type="button" className={styles.reset} onClick={() => onChange({ from: "", to: "" })}>
          {STRINGS.trace.resetZoom} <kbd>0</kbd>
        </button>
      )}
    </div>
  );
}

function readCall({ id, at, tokens }: TraceOverview["curve"][number]): ReadCall {
  return { name: undefined, spanId: id, at, tokens, isEstimated: false, change: undefined };
}

function VisibleWindow({ overview, visible }: Pick<OverviewStripProps, "overview" | "visible">) {
  const stretch = useStore(visible);
  if (stretch === undefined) return null;
  const axis = { segments: overview.axis };
  const left = positionOf(axis, stretch.from);
  const width = positionOf(axis, stretch.to) - left;
  return <span className={styles.window} style={{ left: `${left * 100}%`, width: `${width * 100}%` }} />;
}

interface DrawingProps extends Pick<OverviewStripProps, "overview"> {
  readonly scale: ChartScale;
}

/** Redrawn only with another trace: it may have hundreds of marks. */
const Drawing = memo(function Drawing({ overview, scale }: DrawingProps) {
  return (
    <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {overview.axis
        .filter(({ folded }) => folded)
        .map(({ from, x0, x1 }) => (
          <rect key={from} className={styles.idle} x={x0 * 1000} width={(x1 - x0) * 1000} height={HEIGHT} />
        ))}
      <path className={styles.curve} d={curvePath(overview, scale)} />
      {overview.agents.map(({ id, x0, x1 }, i) => (
        <rect
          key={id}
          className={styles.agent}
          x={x0 * 1000}
          y={HEIGHT - 3 - (i % 4) * 4}
          width={Math.max(2, (x1 - x0) * 1000)}
          height={2.5}
        />
      ))}
      {overview.compactions.map(({ id, x }) => (
        <rect key={id} className={styles.compaction} x={x * 1000} width={2} height={HEIGHT} />
      ))}
    </svg>
  );
});

/** Steps: a context changes only at model calls. */
function curvePath({ curve }: TraceOverview, scale: ChartScale): string {
  if (curve.length === 0) return "";
  const y = (tokens: number) => (HEIGHT * (1 - heightOf(scale, tokens))).toFixed(1);
  const steps = curve.map(({ x, tokens }) => `H${(x * 1000).toFixed(1)}V${y(tokens)}`).join("");
  return `M${(curve[0]!.x * 1000).toFixed(1)} ${HEIGHT}${steps}H1000V${HEIGHT}Z`;
}
