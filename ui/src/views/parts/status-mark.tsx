import { STRINGS } from "../../strings/strings.js";
import styles from "./status-mark.module.css";

/** A status as a shape and a word, because some readers cannot tell the colours apart. */
export function StatusMark({ status, label }: { readonly status: string; readonly label?: string }) {
  return (
    <span className={styles.mark} data-status={status}>
      <i aria-hidden="true" />
      {label ?? STRINGS.statuses.get(status) ?? status}
    </span>
  );
}
