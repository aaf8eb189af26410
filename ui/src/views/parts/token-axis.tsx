import { formatTokens } from "../../../../src/domain/text/figures.js";
import { type ChartScale, heightOf } from "../../model/charts/chart-scale.js";
import { CHART_STRINGS as strings } from "../../strings/chart-strings.js";
import styles from "./token-axis.module.css";

interface TokenAxisProps {
  readonly scale: ChartScale;
  /** At the highest value. Default is the value alone. */
  unit?(tokens: string): string;
}

/** Lines with labels, and the model's window. For eyes only. */
export function TokenAxis({ scale, unit = (tokens) => tokens }: TokenAxisProps) {
  const { ticks, windowAt, windowAbove } = scale;
  const at = (tokens: number) => ({ bottom: `${heightOf(scale, tokens) * 100}%` });
  return (
    <div className={styles.axis} aria-hidden="true">
      {ticks.map((tokens) => (
        <span key={tokens} style={at(tokens)}>
          <small>{tokens === ticks.at(-1) ? unit(formatTokens(tokens)) : formatTokens(tokens)}</small>
        </span>
      ))}
      {windowAt !== undefined && (
        <span className={styles.window} style={at(windowAt)}>
          <small>{strings.window(formatTokens(windowAt))}</small>
        </span>
      )}
      {windowAbove !== undefined && (
        <small className={styles.above}>{strings.windowAbove(formatTokens(windowAbove))}</small>
      )}
    </div>
  );
}
