import type { ReactNode } from "react";
import type { Overview, UsageTotals } from "../../../../src/domain/overview/overview.js";
import { ABSENT, formatCount, formatDollars, formatShare } from "../../../../src/domain/text/figures.js";
import { cacheShare, changeText, errorRate, pointsText } from "../../model/overview/overview-figures.js";
import { dayOf } from "../../model/text/days.js";
import type { ClockZone } from "../../model/text/formats.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import styles from "./overview.module.css";
import { costText, dayText, monthText, tokensText } from "./overview-texts.js";

const { figures } = strings;

interface Figure {
  readonly name: string;
  readonly hint?: string;
  value(totals: UsageTotals): string | undefined;
  change(now: UsageTotals, before: UsageTotals): string | undefined;
}

const hoursText = ({ activeMs }: UsageTotals) => {
  if (activeMs === undefined) return undefined;
  const hours = activeMs / 3_600_000;
  return figures.hours(hours >= 100 ? formatCount(Math.round(hours)) : hours.toFixed(1).replace(/\.0$/, ""));
};

const FIGURES: readonly Figure[] = [
  {
    name: figures.cost,
    value: costText,
    change: (now, before) => changeText(now.cost.usd, before.cost.usd),
  },
  {
    name: figures.sessions,
    value: ({ sessions }) => formatCount(sessions),
    change: (now, before) => changeText(now.sessions, before.sessions),
  },
  {
    name: figures.tokens,
    value: tokensText,
    change: (now, before) => changeText(now.tokens, before.tokens),
  },
  {
    name: figures.cacheHits,
    hint: figures.cacheHitsHint,
    value: ({ usage }) => formatShare(cacheShare(usage)),
    change: (now, before) => pointsText(cacheShare(now.usage), cacheShare(before.usage)),
  },
  {
    name: figures.errorRate,
    hint: figures.errorRateHint,
    value: (totals) => formatShare(errorRate(totals)),
    change: (now, before) => pointsText(errorRate(now), errorRate(before)),
  },
  {
    name: figures.active,
    hint: figures.activeHint,
    value: hoursText,
    change: (now, before) => changeText(now.activeMs, before.activeMs),
  },
];

/** Sums with changes. Its size does not depend on the answer. */
export function Figures({ overview }: { readonly overview: Overview | undefined }) {
  const isPartial = (overview?.coverage.unread ?? 0) > 0;
  return (
    <dl className={styles.figures} aria-label={figures.label}>
      {FIGURES.map((figure) => (
        <div key={figure.name} title={figure.hint} data-partial={isPartial}>
          <dt>{figure.name}</dt>
          <dd>{overview === undefined ? <>&nbsp;</> : (figure.value(overview.total) ?? ABSENT)}</dd>
          <dd className={styles.change}>{overview && <Change figure={figure} overview={overview} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function Change({ figure, overview }: { readonly figure: Figure; readonly overview: Overview }): ReactNode {
  const { total, previous, coverage } = overview;
  if (coverage.unread > 0) return <span title={strings.soFarHint}>{strings.soFar}</span>;
  if (previous === undefined) return null;
  if (previous.sessions === 0) return strings.noneBefore;
  const value = figure.value(previous) ?? ABSENT;
  const change = figure.change(total, previous);
  return (
    <span title={strings.beforeHint}>
      {change === undefined ? strings.was(value) : strings.before(change, value)}
    </span>
  );
}

interface PaceLineProps {
  readonly overview: Overview | undefined;
  readonly zone: ClockZone;
}

export function PaceLine({ overview, zone }: PaceLineProps) {
  const pace = overview?.pace;
  if (overview === undefined) return <p className={styles.pace}>&nbsp;</p>;
  if (pace === undefined) return null;
  const month = monthText(pace.month);
  return (
    <p className={styles.pace} data-partial={overview.coverage.unread > 0}>
      <b>{strings.pace(formatDollars(pace.usd), month)}</b>{" "}
      <small>
        {strings.paceHint(
          formatDollars(pace.usdPerDay),
          dayText(dayOf(pace.since, zone)),
          formatDollars(pace.spentUsd),
          month.split(" ")[0]!,
        )}
      </small>
    </p>
  );
}
