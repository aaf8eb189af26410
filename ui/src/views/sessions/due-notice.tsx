import { prefer, usePreferences } from "../../app/preferences.js";
import { useSources } from "../../app/use-sources.js";
import { SOURCES_ADDRESS } from "../../model/address/address.js";
import { SOURCES_STRINGS as strings } from "../../strings/sources-strings.js";
import { dueText } from "../sources/due-sessions.js";
import styles from "./sessions-view.module.css";

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Sessions that their tools will delete soon. Empty without such sessions, or after a recent dismissal.
 * @param isWanted requests of the list have priority
 */
export function DueNotice({ isWanted }: { readonly isWanted: boolean }) {
  const { dismissedAt } = usePreferences();
  const isDismissed = Date.now() - dismissedAt < WEEK_MS;
  const { read } = useSources({ isWanted: isWanted && !isDismissed, only: "due" });
  const due =
    read !== undefined && "sources" in read ? read.sources.flatMap((source) => dueText(source) ?? []) : [];
  if (isDismissed || due.length === 0) return null;
  return (
    <p className={styles.due}>
      <span>{due.join(" · ")}</span> <a href={SOURCES_ADDRESS}>{strings.toSources}</a>
      <button
        type="button"
        onClick={() => prefer({ dismissedAt: Date.now() })}
        aria-label={strings.dismiss}
        title={strings.dismiss}
      >
        ×
      </button>
    </p>
  );
}
