import { formatCount } from "../../../../src/domain/text/figures.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./new-below.module.css";

interface NewBelowProps {
  readonly count: number;
  onGo(): void;
}

/** Overlays the lower edge of the preceding element. */
export function NewBelow({ count, onGo }: NewBelowProps) {
  return (
    <div className={styles.place}>
      <p role="status" className="visually-hidden">
        {count > 0 && STRINGS.following.announced(formatCount(count))}
      </p>
      {count > 0 && (
        <button type="button" className={styles.pill} title={STRINGS.following.hint} onClick={onGo}>
          {STRINGS.following.fresh(formatCount(count))} <span aria-hidden="true">↓</span>
        </button>
      )}
    </div>
  );
}
