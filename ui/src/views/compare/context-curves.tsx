import type { SessionComparison } from "../../../../src/domain/analysis/session-comparison.js";
import { changeAddress } from "../../app/address-store.js";
import { type AddressQuery, changeQuery } from "../../model/address.js";
import { type CurveAxis, type DrawnCurve, drawnCurves } from "../../model/context-curve.js";
import { formatCount, formatTokens } from "../../model/formats.js";
import { COMPARE_STRINGS } from "../../strings/compare-strings.js";
import styles from "./context-curves.module.css";

const { curves: strings, names } = COMPARE_STRINGS;

/** The drawing's own units. */
const WIDTH = 1000;
const HEIGHT = 100;

interface ContextCurvesProps {
  readonly comparison: SessionComparison;
  readonly query: AddressQuery;
}

/** How large the contexts of both were, on one axis. */
export function ContextCurves({ comparison: { sessions }, query }: ContextCurvesProps) {
  const axis: CurveAxis = query.axis === "time" ? "time" : "call";
  const curves = drawnCurves(sessions, axis);
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
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${strings.title}. ${legends.join(". ")}`}
          >
            {curves.map((curve, i) => (
              <g key={names[i]} data-side={names[i]}>
                <path d={curvePath(curve)} />
                {curve.mark !== undefined && (
                  <path className={styles.mark} d={`M${(curve.mark * WIDTH).toFixed(1)} 0v${HEIGHT}`} />
                )}
              </g>
            ))}
          </svg>
        </figure>
      )}
    </section>
  );
}

/** A context stays as large as it is until the next call; the last one is a stroke of its own. */
function curvePath({ points }: DrawnCurve): string {
  const y = (part: number) => (HEIGHT - 2 - part * (HEIGHT - 4)).toFixed(1);
  return points
    .map(([x, part], i) => `${i === 0 ? "M" : "H"}${(x * WIDTH).toFixed(1)}${i === 0 ? " " : "V"}${y(part)}`)
    .join("")
    .concat(points.length > 0 ? "h4" : "");
}
