import { TEXTS } from "../texts.js";
import { Dialog } from "../views/parts/dialog.js";
import styles from "./keys-dialog.module.css";

export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog label={TEXTS.keys.label} onClose={onClose}>
      <div className={styles.keys}>
        <h2>{TEXTS.keys.label}</h2>
        <dl>
          {TEXTS.keys.rows.map(([key, meaning]) => (
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
          {TEXTS.keys.close}
        </button>
      </div>
    </Dialog>
  );
}
