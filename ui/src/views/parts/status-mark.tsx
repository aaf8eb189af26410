import { type InspectorSessionItem, STATE_WORDS, stateOf } from "../../../../src/domain/session/session.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./status-mark.module.css";

interface StatusMarkProps {
  readonly status: string;
  /** Default is the word of the status. */
  readonly label?: string;
  readonly tip?: string | undefined;
}

/** A shape and a word, because some readers cannot tell colors apart. */
export function StatusMark({ status, label, tip }: StatusMarkProps) {
  return (
    <span className={styles.mark} data-status={status} data-tip={tip}>
      <i aria-hidden="true" />
      {label ?? STRINGS.statuses.get(status) ?? status}
    </span>
  );
}

interface StateMarkProps extends Omit<StatusMarkProps, "status"> {
  readonly item: InspectorSessionItem;
}

/** The tooltip of a waiting session has its question. */
export function SessionMark({ item }: { readonly item: InspectorSessionItem }) {
  return <StateMark item={item} label={STATE_WORDS[stateOf(item).kind]} tip={item.waitingFor} />;
}

/** A person has another mark than agents that wait for each other. */
export function StateMark({ item, ...of }: StateMarkProps) {
  const { kind } = stateOf(item);
  return <StatusMark status={kind === "waiting" ? "asking" : kind} {...of} />;
}
