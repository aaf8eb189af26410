import type { OverviewCoverage } from "../../../../src/domain/overview/overview.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import styles from "./overview.module.css";

/** Occupies a line from the beginning. */
export function CoverageLine({ coverage }: { readonly coverage: OverviewCoverage | undefined }) {
  return (
    <p className={styles.coverage} data-partial={(coverage?.unread ?? 0) > 0}>
      {coverage === undefined ? strings.loading : coverageText(coverage)}
    </p>
  );
}

function coverageText(coverage: OverviewCoverage): string {
  const { sessions, unread, withoutFacts, withoutCounts, partlyPriced, undecided, inFuture = 0 } = coverage;
  const parts: readonly (readonly [count: number, text: (n: string) => string])[] = [
    [partlyPriced, strings.partlyPriced],
    [withoutCounts, strings.withoutCounts],
    [withoutFacts, strings.withoutFacts],
  ];
  const texts = parts.flatMap(([count, text]) => (count === 0 ? [] : [text(formatCount(count))]));
  return [
    strings.coverage(strings.sessions(formatCount(sessions)), texts),
    // All sessions count, because activity times of unread ones are unavailable.
    ...(unread === 0 ? [] : [strings.unread(formatCount(unread))]),
    ...(undecided === 0 ? [] : [strings.undecided(formatCount(undecided))]),
    ...(inFuture === 0 ? [] : [strings.inFuture(formatCount(inFuture))]),
  ].join("; ");
}
