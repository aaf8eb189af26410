import { useEffect, useState } from "react";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { keyText, type SessionKey } from "../../../../src/domain/session/session-key.js";
import {
  ABSENT,
  AT_LEAST,
  formatCount,
  formatDollars,
  formatDuration,
  formatTokens,
  signed,
} from "../../../../src/domain/text/figures.js";
import { engine } from "../../app/engine.js";
import type { ReadComparison } from "../../engine/compare/read-comparison.js";
import { type CompareRoute, compareAddress, sessionAddress } from "../../model/address/address.js";
import {
  deviationOf,
  GROUP_METRICS,
  type GroupMetric,
  type MetricValues,
  medianOf,
  metricsOf,
} from "../../model/compare/group-comparison.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { COMPARE_STRINGS } from "../../strings/compare-strings.js";
import { GROUP_STRINGS as strings } from "../../strings/group-strings.js";
import { SessionMark } from "../parts/status-mark.js";
import { addingAddress } from "./adding-address.js";
import styles from "./group-comparison.module.css";

export function GroupComparison({ route }: { readonly route: CompareRoute }) {
  const { others } = route;
  const read = useComparisons(route, others);
  const first = [...read.values()].find((one) => "comparison" in one);
  const reference = first && metricsOf(first.comparison, 0);
  const values = others.map((_, i) => valuesOf(read.get(i)));
  const isReading = read.size < others.length;
  // A median needs all sessions.
  const medians = (metric: GroupMetric) =>
    isReading ? undefined : medianOf(values.map((one) => one?.[metric]));
  return (
    <>
      <header className={styles.header}>
        <h1>{strings.title(formatCount(others.length))}</h1>
        <a href={addingAddress(route)}>{COMPARE_STRINGS.addSession}</a>
        <span role="status">
          {isReading && strings.reading(formatCount(read.size), formatCount(others.length))}
        </span>
      </header>
      <div
        className={styles.scroller}
        role="region"
        aria-label={strings.table}
        aria-busy={isReading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{strings.metric}</th>
              <th scope="col">
                <small>{strings.reference}</small>
                <a href={sessionAddress(route)}>{titleOf(first?.items[0], route)}</a>
              </th>
              {others.map((other, i) => (
                <Other key={keyText(other)} route={route} at={i} read={read.get(i)} />
              ))}
              <th scope="col">{strings.median}</th>
              <th scope="col">{strings.deviation}</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{strings.metrics.status}</th>
              <td>
                <Status item={first?.items[0]} />
              </td>
              {others.map((other, i) => {
                const one = read.get(i);
                return (
                  <td key={keyText(other)}>
                    <Status item={one !== undefined && "items" in one ? one.items[1] : undefined} />
                  </td>
                );
              })}
              <td />
              <td />
            </tr>
            {GROUP_METRICS.map((metric) => (
              <tr key={metric}>
                <th scope="row">{strings.metrics[metric]}</th>
                <td>{reference === undefined ? strings.loading : textOf(metric, reference)}</td>
                {others.map((other, i) => (
                  <td key={keyText(other)} data-far={isFar(values[i]?.[metric], medians(metric))}>
                    {cellText(metric, read.get(i), values[i])}
                  </td>
                ))}
                <td>{valueText(metric, medians(metric))}</td>
                <td>{deviationText(deviationOf(reference?.[metric], medians(metric)))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface OtherProps {
  readonly route: CompareRoute;
  readonly at: number;
  readonly read: ReadComparison | undefined;
}

function Other({ route, at, read }: OtherProps) {
  const other = route.others[at]!;
  const title = titleOf(read !== undefined && "items" in read ? read.items[1] : undefined, other);
  const rest = route.others.filter((_, i) => i !== at);
  return (
    <th scope="col">
      <a href={compareAddress(route, other)} title={strings.pair}>
        {title}
      </a>
      <small>
        <a href={compareAddress(other, route, ...rest)}>{strings.makeReference}</a>
        {" · "}
        <a href={compareAddress(route, ...atLeastOne(rest))} aria-label={strings.removeNamed(title)}>
          {strings.remove}
        </a>
      </small>
    </th>
  );
}

function atLeastOne([first, ...more]: readonly SessionKey[]): [SessionKey | undefined, ...SessionKey[]] {
  return [first, ...more];
}

function Status({ item }: { readonly item: InspectorSessionItem | undefined }) {
  return item === undefined ? ABSENT : <SessionMark item={item} />;
}

/** Each comparison reads both sessions. */
const AT_ONCE = 2;

function useComparisons(one: SessionKey, others: readonly SessionKey[]): ReadonlyMap<number, ReadComparison> {
  const key = keyText(one, ...others.map((other) => keyText(other)));
  const [answers, setAnswers] = useState({ key, read: new Map<number, ReadComparison>() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which sessions they are
  useEffect(() => {
    let isOutdated = false;
    const { tenantId, sessionId } = one;
    const read = new Map<number, ReadComparison>();
    let next = 0;
    const readOn = async () => {
      while (next < others.length && !isOutdated) {
        const at = next++;
        read.set(at, await engine.call("compareSessions", { tenantId, sessionId }, others[at]!));
        if (!isOutdated) setAnswers({ key, read: new Map(read) });
      }
    };
    for (let i = 0; i < AT_ONCE; i++) readOn();
    return () => {
      isOutdated = true;
    };
  }, [key]);
  return answers.key === key ? answers.read : new Map();
}

function valuesOf(read: ReadComparison | undefined): MetricValues | undefined {
  return read !== undefined && "comparison" in read ? metricsOf(read.comparison, 1) : undefined;
}

function cellText(
  metric: GroupMetric,
  read: ReadComparison | undefined,
  values: MetricValues | undefined,
): string {
  if (read === undefined) return strings.loading;
  if (values === undefined) return strings.failed;
  if (metric === "divergence" && values.divergence === undefined) return strings.noDivergence;
  return textOf(metric, values);
}

function textOf(metric: GroupMetric, values: MetricValues): string {
  const text = valueText(metric, values[metric]);
  return metric === "cost" && values.costsMore && values.cost !== undefined ? `${AT_LEAST}${text}` : text;
}

function valueText(metric: GroupMetric, value: number | undefined): string {
  if (value === undefined) return ABSENT;
  switch (metric) {
    case "cost":
      return formatDollars(value);
    case "tokens":
      return formatTokens(value);
    case "ms":
      return formatDuration(value);
    default:
      return formatCount(Math.round(value * 10) / 10);
  }
}

function deviationText(part: number | undefined): string {
  if (part === undefined) return ABSENT;
  const percent = Math.round(part * 100);
  if (percent >= 1_000) return strings.times(formatCount(Math.round(part + 1)));
  return percent === 0 ? "0%" : signed(percent, false, (size) => `${size}%`);
}

/** More than twice, or less than half of the median. */
function isFar(value: number | undefined, median: number | undefined): "more" | "less" | undefined {
  const part = deviationOf(value, median);
  if (part === undefined) return undefined;
  return part > 1 ? "more" : part < -0.5 ? "less" : undefined;
}

function titleOf(item: InspectorSessionItem | undefined, { sessionId }: SessionKey): string {
  return (item && sessionTitle(item)) ?? sessionId;
}
