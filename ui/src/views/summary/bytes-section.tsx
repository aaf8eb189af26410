import { formatBytes, formatCount } from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import type { SummaryRow } from "../../model/summary/summary-rows.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { Section, type SummaryProps } from "./section.js";
import styles from "./summary.module.css";
import { SummaryTable } from "./summary-table.js";

const MOST_RECORDS = 5;

export function BytesSection({ route, summary: { bytes } }: SummaryProps) {
  const rows = bytes.parts.map(({ kind, ...part }) => ({
    key: kind,
    label: strings.bytesKinds[kind],
    share: bytes.bytes === 0 ? 0 : part.bytes / bytes.bytes,
    part,
  }));
  const cells = ({ part }: SummaryRow & (typeof rows)[number]) => [
    formatCount(part.records),
    formatBytes(part.bytes),
  ];
  return (
    <Section
      title={strings.bytesTitle}
      hint={strings.bytesHint(formatBytes(bytes.bytes), formatCount(bytes.records))}
    >
      <SummaryTable
        route={route}
        label={strings.bytesTitle}
        heads={[strings.kindColumn, strings.recordsColumn, strings.bytesColumn]}
        rows={rows}
        cells={cells}
      />
      {bytes.largest.length > 0 && <h3>{strings.largest}</h3>}
      <ul className={styles.list}>
        {bytes.largest.slice(0, MOST_RECORDS).map(({ id, kind, bytes: size }) => (
          <li key={id}>
            <a href={sessionAddress(route, "trace", { event: id })}>{strings.bytesKinds[kind]}</a>{" "}
            {formatBytes(size)}
          </li>
        ))}
      </ul>
    </Section>
  );
}
