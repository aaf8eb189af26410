import type { SessionList } from "../../api/endpoints.js";
import type { SessionNews } from "../../engine/trace-protocol.js";
import type { SessionTab } from "../../model/address.js";
import { STRINGS } from "../../strings.js";
import styles from "./session-header.module.css";

/** The lists that each view is made of. */
const LISTS: { readonly [tab in SessionTab]: readonly SessionList[] } = {
  trace: ["trace"],
  agents: ["orchestration"],
  messages: ["messages"],
  context: ["messages", "trace"],
};

interface SessionWarningsProps {
  readonly tab: SessionTab;
  readonly warnings: SessionNews["warnings"];
}

/** What is missing from a view because it could not be read. */
export function SessionWarnings({ tab, warnings }: SessionWarningsProps) {
  const missing = LISTS[tab].flatMap((list) => warnings[list]);
  if (missing.length === 0) return null;
  return (
    <details className={styles.warnings}>
      <summary>{STRINGS.header.warnings(missing.length)}</summary>
      <ul>
        {missing.slice(0, 100).map(({ file, line, reason }) => (
          <li key={`${file}:${line}`}>
            <code>
              {file}:{line}
            </code>{" "}
            {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
