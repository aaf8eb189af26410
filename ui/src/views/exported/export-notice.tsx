import type { ArchivedRedaction } from "../../../../src/domain/archive/archive-record.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { usePreferences } from "../../app/preferences.js";
import type { ExportedPage } from "../../app/surroundings.js";
import { formatInstant } from "../../model/text/formats.js";
import { EXPORTED_STRINGS as strings } from "../../strings/exported-strings.js";
import { Fact } from "../parts/fact.js";
import { Popover } from "../parts/popover.js";
import styles from "./export-notice.module.css";

export default function ExportNotice({ exported }: { readonly exported: ExportedPage }) {
  const { exportedAt, writer, part, redaction } = exported.head;
  return (
    <aside className={styles.notice} aria-label={strings.label}>
      <span className={styles.when}>
        {strings.exported} <Minute at={Date.parse(exportedAt)} /> {strings.by(writer)}
        {part !== null && ` · ${strings.part(part)}`}
      </span>
      <Popover id="removed" label={removedText(redaction)} hint={strings.removedHint}>
        <Removed redaction={redaction} />
      </Popover>
    </aside>
  );
}

function Minute({ at }: { readonly at: number }) {
  const { zone } = usePreferences();
  const exact = formatInstant(at, zone);
  return (
    <time dateTime={new Date(at).toISOString()} title={exact}>
      {exact.slice(0, "2026-11-26 08:00".length)}
      {zone === "utc" && "Z"}
    </time>
  );
}

function removedText(redaction: ArchivedRedaction | null): string {
  if (redaction === null) return strings.notRedacted;
  return strings.removed(Object.values(redaction.removed).reduce((sum, count) => sum + count, 0));
}

function Removed({ redaction }: { readonly redaction: ArchivedRedaction | null }) {
  if (redaction === null) return <p className={styles.meaning}>{strings.notRedactedMeaning}</p>;
  return (
    <>
      <dl className={styles.rules}>
        {Object.entries(redaction.removed).map(([rule, count]) => (
          <Fact key={rule} name={rule}>
            {formatCount(count)}
          </Fact>
        ))}
      </dl>
      {redaction.kept > 0 && <p className={styles.meaning}>{strings.remaining(redaction.kept)}</p>}
      <p className={styles.meaning}>{strings.removedMeaning}</p>
    </>
  );
}
