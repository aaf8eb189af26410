import type { SessionSummary } from "../../../../src/domain/analysis/session-summary.js";
import type { SessionRoute } from "../../model/address.js";
import { formatBytes, formatCount } from "../../model/formats.js";
import type { SummaryRow } from "../../model/summary-rows.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { Section } from "./section.js";
import { SummaryTable } from "./summary-table.js";

interface BytesSectionProps {
  readonly route: SessionRoute;
  readonly summary: SessionSummary;
}

/** What the records of the session take. */
export function BytesSection({ route, summary: { bytes } }: BytesSectionProps) {
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
    </Section>
  );
}
