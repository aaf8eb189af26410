import { ABSENT_KEYS } from "../../app/page-parts.js";
import { STRINGS } from "../../strings/strings.js";
import { Dialog } from "../parts/dialog.js";
import styles from "./keys-dialog.module.css";

const ROWS = STRINGS.keys.rows.filter(([key]) => !ABSENT_KEYS.has(key));

export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog label={STRINGS.keys.label} onClose={onClose}>
      <div className={styles.keys}>
        <h2>{STRINGS.keys.label}</h2>
        <dl>
          {ROWS.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                {key.split("  ").map((part) => (
                  <kbd key={part}>{part}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={onClose}>
          {STRINGS.keys.close}
        </button>
      </div>
    </Dialog>
  );
}
