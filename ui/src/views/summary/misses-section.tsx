import { areUncounted } from "../../../../src/domain/cost/call-totals.js";
import { formatCost, formatCount, formatTokens } from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import { missesByCause } from "../../model/summary/summary-rows.js";
import { STRINGS } from "../../strings/strings.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { Section, type SummaryProps } from "./section.js";
import styles from "./summary.module.css";
import { evidenceText } from "./summary-texts.js";

export function MissesSection({ route, summary }: SummaryProps) {
  const { count, tokens, usd, unpricedTokens } = summary.cacheMisses;
  if (count === 0) {
    return (
      <Section title={strings.misses}>
        <p>{areUncounted(summary.total) ? STRINGS.noTokenCounts : strings.noMisses}</p>
      </Section>
    );
  }
  return (
    <Section
      title={strings.misses}
      hint={strings.missed(formatTokens(tokens), formatCost({ usd, unpricedTokens }))}
    >
      <ul className={styles.list}>
        {missesByCause(summary).map(({ cause, count, tokens, usd, unpricedTokens, largest }) => (
          <li key={cause}>
            <b>{strings.causes[cause]}</b> {formatCount(count)} × · {formatTokens(tokens)} ·{" "}
            {formatCost({ usd, unpricedTokens })}
            <ul>
              {largest.map((miss) => (
                <li key={miss.stepId}>
                  <a href={sessionAddress(route, "trace", { event: miss.stepId })}>
                    {formatTokens(miss.tokens)}
                  </a>{" "}
                  {evidenceText(miss)}
                  {miss.evidence.compactionStepId !== undefined && (
                    <a href={sessionAddress(route, "trace", { event: miss.evidence.compactionStepId })}>
                      {strings.theCompaction}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}
