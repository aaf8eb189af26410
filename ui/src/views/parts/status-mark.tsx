import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./status-mark.module.css";

/** A shape and a word, because some readers cannot tell colors apart. */
export function StatusMark({ status, label }: { readonly status: string; readonly label?: string }) {
  return (
    <span className={styles.mark} data-status={status}>
      <i aria-hidden="true" />
      {label ?? STRINGS.statuses.get(status) ?? status}
    </span>
  );
}

/** The tooltip of a waiting session has its question. */
export function SessionMark({ status, waitingFor }: Pick<InspectorSessionItem, "status" | "waitingFor">) {
  if (status !== "waiting") return <StatusMark status={status} />;
  return (
    <span className={styles.mark} data-status="asking" data-tip={waitingFor}>
      <i aria-hidden="true" />
      {STRINGS.waitingForYou}
    </span>
  );
}
