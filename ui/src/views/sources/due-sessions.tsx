import type { SourceReport } from "../../../../src/domain/session/source-report.js";
import { formatBytes, formatCount } from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { keepCommand } from "../../model/sources/keep-command.js";
import { SOURCES_STRINGS as strings } from "../../strings/sources-strings.js";
import { CopyButton } from "../parts/copy-button.js";
import { Instant } from "../parts/instant.js";
import styles from "./sources-view.module.css";

/** `undefined` without such sessions. */
export function dueText({ name = strings.nameless, retention }: SourceReport): string | undefined {
  const { due } = retention ?? {};
  if (due === undefined || due.sessions === 0) return undefined;
  const { sessions, bytes, withinDays } = due;
  return strings.due(formatCount(sessions), formatBytes(bytes), name, formatCount(withinDays));
}

export function DueSessions({ source }: { readonly source: SourceReport }) {
  const command = keepCommand(source);
  const { first } = source.retention?.due ?? {};
  return (
    <div className={styles.due}>
      <p>
        <b>{dueText(source)}</b>
        {plausibleInstant(first) !== undefined && (
          <>
            {". "}
            {strings.dueFirst} <Instant at={first} />
          </>
        )}
      </p>
      <p>
        {strings.keep} <code>{command}</code> <CopyButton label={strings.copy} text={() => command} />
      </p>
    </div>
  );
}
