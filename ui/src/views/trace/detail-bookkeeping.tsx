import type { BookkeepingList } from "../../engine/trace-protocol.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./detail-readable.module.css";

interface DetailBookkeepingProps {
  readonly bookkeeping: BookkeepingList;
  onSelect(id: string): void;
}

const { detail: strings } = STRINGS;

/** What the runtime noted of a step: hooks, progress, snapshots. */
export function DetailBookkeeping({ bookkeeping: { records, more }, onSelect }: DetailBookkeepingProps) {
  if (records.length === 0) return null;
  return (
    <section className={styles.block}>
      <h3>{strings.bookkeeping}</h3>
      <ul className={styles.calls}>
        {records.map(({ id, type, preview, error }) => (
          <li key={id}>
            <button type="button" onClick={() => onSelect(id)}>
              <b>{type}</b> {preview}
              {error !== undefined && <em> ✕ {error}</em>}
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p>{strings.moreRecords(more)}</p>}
    </section>
  );
}
