import type { SessionSummary } from "../../../../src/domain/analysis/session-summary.js";
import { sessionAddress } from "../../model/address.js";
import { formatCount, formatTokens } from "../../model/formats.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { Section, type SummaryProps } from "./section.js";
import styles from "./summary.module.css";
import { dollarsText } from "./summary-texts.js";

interface WasteRow {
  readonly key: string;
  readonly label: string;
  readonly notes: readonly string[];
  readonly stepId: string | undefined;
}

const MOST_ROWS = 5;

/** What was called again, read again, failed or was refused. */
export function WasteSection({ route, summary: { waste } }: SummaryProps) {
  const { failedCarried, unchangedCarried } = waste;
  const rows = wasteRows(waste);
  return (
    <Section title={strings.waste} hint={strings.wasteHint}>
      {rows.length === 0 && <p>{strings.noWaste}</p>}
      <ul className={styles.list}>
        {rows.map(({ key, label, notes, stepId }) => (
          <li key={key}>
            {stepId === undefined ? (
              <span title={label}>{label}</span>
            ) : (
              <a href={sessionAddress(route, "trace", { event: stepId })} title={label}>
                {label}
              </a>
            )}{" "}
            {notes.join(" · ")}
          </li>
        ))}
      </ul>
      {unchangedCarried.tokens > 0 && (
        <p className={styles.hint}>
          {strings.unchanged}:{" "}
          {strings.took(
            formatTokens(unchangedCarried.tokens),
            dollarsText(unchangedCarried.usd, unchangedCarried.unpricedTokens),
          )}
        </p>
      )}
      {failedCarried.tokens > 0 && (
        <p className={styles.hint}>
          {strings.failed(formatCount(waste.failedTools.calls))}:{" "}
          {strings.took(
            formatTokens(failedCarried.tokens),
            dollarsText(failedCarried.usd, failedCarried.unpricedTokens),
          )}
        </p>
      )}
    </Section>
  );
}

function wasteRows({
  repeatedCalls,
  rereadFiles,
  failedTools,
  refusedTools,
}: SessionSummary["waste"]): readonly WasteRow[] {
  const again = repeatedCalls.groups.filter(({ unchanged, inARow }) => unchanged > 0 || inARow > 2);
  const reread = rereadFiles.files.filter(({ unchanged }) => unchanged > 0);
  const after = (calls: number) => (calls > 0 ? [strings.afterCompaction(formatCount(calls))] : []);
  return [
    ...again
      .slice(0, MOST_ROWS)
      .map(({ name, subject, times, unchanged, inARow, afterCompaction, stepIds }) => ({
        key: `again ${stepIds[0]}`,
        label: `${name} ${subject}`,
        notes: [
          strings.again(formatCount(times), formatCount(unchanged)),
          ...(inARow > 2 ? [strings.loop(formatCount(inARow))] : []),
          ...after(afterCompaction),
        ],
        stepId: stepIds[1],
      })),
    ...reread.slice(0, MOST_ROWS).map(({ path, reads, unchanged, afterCompaction, stepIds }) => ({
      key: `reread ${path}`,
      label: path,
      notes: [strings.reads(formatCount(reads), formatCount(unchanged)), ...after(afterCompaction)],
      stepId: stepIds[1],
    })),
    ...failedTools.tools.slice(0, MOST_ROWS).map(({ name, calls, stepIds }) => ({
      key: `failed ${name}`,
      label: name,
      notes: [strings.failedTimes(formatCount(calls))],
      stepId: stepIds[0],
    })),
    ...refusedTools.tools.slice(0, MOST_ROWS).map(({ name, calls, stepIds }) => ({
      key: `refused ${name}`,
      label: name,
      notes: [strings.refusedTimes(formatCount(calls))],
      stepId: stepIds[0],
    })),
  ];
}
