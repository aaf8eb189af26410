import { STRINGS } from "../../strings/strings.js";
import styles from "./status-mark.module.css";

/** A status as a shape and a word: colour alone says nothing to some readers. */
export function StatusMark({ status, label }: { readonly status: string; readonly label?: string }) {
  return (
    <span className={styles.mark} data-status={status}>
      <i aria-hidden="true" />
      {label ?? STRINGS.statuses[status] ?? status}
    </span>
  );
}
