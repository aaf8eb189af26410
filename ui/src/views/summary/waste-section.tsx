import { type RepeatedRow, repeatedRows } from "../../../../src/domain/diagnosis/repeated-rows.js";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import { formatCost, formatCount, formatEstimate } from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { Section, type SummaryProps } from "./section.js";
import styles from "./summary.module.css";

interface WasteRow {
  readonly key: string;
  readonly label: string;
  readonly notes: readonly string[];
  readonly stepId: string | undefined;
}

const MOST_ROWS = 5;

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
          {strings.took(formatEstimate(unchangedCarried.tokens), formatCost(unchangedCarried))}
        </p>
      )}
      {failedCarried.tokens > 0 && (
        <p className={styles.hint}>
          {strings.failed(formatCount(waste.failedTools.calls))}:{" "}
          {strings.took(formatEstimate(failedCarried.tokens), formatCost(failedCarried))}
        </p>
      )}
    </Section>
  );
}

function wasteRows(waste: SessionSummary["waste"]): readonly WasteRow[] {
  const { failedTools, refusedTools } = waste;
  const repeated = repeatedRows(waste);
  const mostOf = (wanted: RepeatedRow["kind"]) =>
    repeated.filter(({ kind }) => kind === wanted).slice(0, MOST_ROWS);
  return [
    ...[...mostOf("call"), ...mostOf("file")].map((row) => ({
      key: `${row.kind} ${row.stepId}`,
      label: row.label,
      notes: repeatedNotes(row),
      stepId: row.stepId,
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

function repeatedNotes({ kind, times, unchanged, inARow, afterCompaction }: RepeatedRow): readonly string[] {
  const text = kind === "call" ? strings.again : strings.reads;
  return [
    text(formatCount(times), formatCount(unchanged)),
    ...(inARow > 2 ? [strings.loop(formatCount(inARow))] : []),
    ...(afterCompaction > 0 ? [strings.afterCompaction(formatCount(afterCompaction))] : []),
  ];
}
