import { memo, useRef, useState } from "react";
import { type Store, useStore } from "../../app/store.js";
import type { TraceOverview } from "../../engine/trace-protocol.js";
import type { AddressQuery } from "../../model/address.js";
import { formatTokens } from "../../model/formats.js";
import { instantAt, positionOf, type Stretch } from "../../model/time-axis.js";
import { readFilters } from "../../model/trace-filters.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./overview-strip.module.css";

interface OverviewStripProps {
  readonly overview: TraceOverview;
  readonly query: AddressQuery;
  /** The time that the bars below show; `undefined` where that is the whole. */
  readonly shown: Store<Stretch | undefined>;
  onChange(changes: AddressQuery): void;
  onSelect(id: string): void;
}

/** The height of the drawing's own units; the width is 1000. */
const HEIGHT = 44;
/** A drag shorter than this is a click. */
const MIN_DRAG = 0.004;

/** The whole session on one strip: context size, errors, compactions and agents over time. Drag to zoom. */
export function OverviewStrip({ overview, query, shown, onChange, onSelect }: OverviewStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<readonly [number, number]>();
  const axis = { segments: overview.axis };
  const { from, to } = readFilters(query);
  const zoom =
    from === undefined || to === undefined
      ? undefined
      : ([positionOf(axis, from), positionOf(axis, to)] as const);
  const chosen = drag ?? zoom;

  const placeAt = ({ clientX }: { readonly clientX: number }) => {
    const { left, width } = strip.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const release = () => {
    if (drag === undefined) return;
    setDrag(undefined);
    const [a, b] = [Math.min(...drag), Math.max(...drag)];
    if (b - a < MIN_DRAG) return;
    onChange({ from: instantAt(axis, a).toFixed(0), to: instantAt(axis, b).toFixed(0) });
  };
  return (
    <div className={styles.overview}>
      <div
        ref={strip}
        className={styles.strip}
        role="img"
        aria-label={`${STRINGS.trace.overview} ${peakText(overview)}`}
        title={STRINGS.trace.overview}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag([placeAt(event), placeAt(event)]);
        }}
        onPointerMove={(event) => drag !== undefined && setDrag([drag[0], placeAt(event)])}
        onPointerUp={release}
        onPointerCancel={() => setDrag(undefined)}
      >
        <Drawing overview={overview} />
        <ShownWindow overview={overview} shown={shown} />
        {chosen !== undefined && (
          <span
            className={styles.zoom}
            style={{
              left: `${Math.min(...chosen) * 100}%`,
              width: `${Math.abs(chosen[1] - chosen[0]) * 100}%`,
            }}
          />
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
      <span className={styles.peak}>{peakText(overview)}</span>
      {zoom !== undefined && (
        <button type="button" className={styles.reset} onClick={() => onChange({ from: "", to: "" })}>
          {STRINGS.trace.resetZoom} <kbd>0</kbd>
        </button>
      )}
    </div>
  );
}

/** Which time the bars below show. */
function ShownWindow({ overview, shown }: Pick<OverviewStripProps, "overview" | "shown">) {
  const stretch = useStore(shown);
  if (stretch === undefined) return null;
  const axis = { segments: overview.axis };
  const left = positionOf(axis, stretch.from);
  const width = positionOf(axis, stretch.to) - left;
  return <span className={styles.window} style={{ left: `${left * 100}%`, width: `${width * 100}%` }} />;
}

/** Drawn anew only with another trace, because it may have hundreds of marks. */
const Drawing = memo(function Drawing({ overview }: Pick<OverviewStripProps, "overview">) {
  return (
    <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {overview.axis
        .filter(({ folded }) => folded)
        .map(({ from, x0, x1 }) => (
          <rect key={from} className={styles.idle} x={x0 * 1000} width={(x1 - x0) * 1000} height={HEIGHT} />
        ))}
      <path className={styles.curve} d={curvePath(overview)} />
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

function peakText({ peakTokens }: TraceOverview): string {
  return peakTokens === 0 ? STRINGS.noTokenCounts : STRINGS.trace.peak(formatTokens(peakTokens));
}

/** Steps, because the size of the context changes at model calls only. */
function curvePath({ curve, peakTokens }: TraceOverview): string {
  if (curve.length === 0) return "";
  const y = (tokens: number) => (HEIGHT - (tokens / Math.max(1, peakTokens)) * (HEIGHT - 6)).toFixed(1);
  const steps = curve.map(({ x, tokens }) => `H${(x * 1000).toFixed(1)}V${y(tokens)}`).join("");
  return `M${(curve[0]!.x * 1000).toFixed(1)} ${HEIGHT}${steps}H1000V${HEIGHT}Z`;
}
