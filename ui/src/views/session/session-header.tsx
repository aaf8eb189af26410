import { useId, useState } from "react";
import { type TokenUsage, totalTokens } from "../../../../src/domain/session/session.js";
import type { SessionListName, SessionState } from "../../engine/trace-protocol.js";
import { compareAddress, type OpenedRoute, type SessionTab, sessionAddress } from "../../model/address.js";
import { formatCount, formatDuration, formatTokens } from "../../model/formats.js";
import { searchQuery } from "../../model/search.js";
import { sessionTitle } from "../../model/session-title.js";
import { STRINGS } from "../../strings/strings.js";
import { CopyButton } from "../parts/copy-button.js";
import { Fact } from "../parts/fact.js";
import { Instant } from "../parts/instant.js";
import { SessionMark, StatusMark } from "../parts/status-mark.js";
import styles from "./session-header.module.css";

const { header } = STRINGS;

interface SessionHeaderProps {
  readonly route: OpenedRoute;
  readonly session: SessionState | undefined;
}

export function SessionHeader({ route, session }: SessionHeaderProps) {
  const item = session?.item;
  const title = (item && sessionTitle(item)) ?? route.sessionId;
  const [isOpen, setOpen] = useState(false);
  const facts = useId();
  return (
    <section className={styles.header} aria-label={STRINGS.columns.title} data-open={isOpen}>
      <div className={styles.line}>
        <h1 title={item?.title ?? title}>{title}</h1>
        {item !== undefined && <SessionMark {...item} />}
        {session !== undefined && session.totals.errors > 0 && (
          <a
            href={sessionAddress(route, "trace", { ...searchQuery(route.query), errors: "1" })}
            title={header.showErrors}
            className={styles.errors}
          >
            <StatusMark status="failed" label={header.errors(session.totals.errors)} />
          </a>
        )}
        {session !== undefined && session.events > 0 && (
          <span className={styles.brief}>
            {formatDuration(session.activeMs)}
            <span>
              {totalTokens(session.usage) === 0
                ? STRINGS.noTokenCounts
                : `${formatTokens(totalTokens(session.usage))} ${header.tokens}`}
            </span>
          </span>
        )}
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          aria-controls={facts}
          onClick={() => setOpen(!isOpen)}
        >
          {header.more} <span aria-hidden="true">{isOpen ? "▴" : "▾"}</span>
        </button>
        <CopyButton label={header.copyId} text={() => route.sessionId} />
      </div>
      {/* It scrolls where there is little room, and is then reached by keyboard. */}
      <dl id={facts} className={styles.facts} tabIndex={0}>
        {item?.source !== undefined && <Fact name={STRINGS.columns.source}>{item.source}</Fact>}
        {item?.directory !== undefined && <Fact name={header.directory}>{item.directory}</Fact>}
        <Fact name={STRINGS.columns.user}>{item?.userId || header.noUser}</Fact>
        <Fact name={STRINGS.detail.model}>{session?.models.join(", ") || header.unknownModel}</Fact>
        {session !== undefined && session.events > 0 && (
          <>
            <Fact name={header.started}>
              <Instant at={session.from} />
            </Fact>
            <Fact name={header.turns}>{formatCount(item?.turns ?? 0)}</Fact>
            <Fact name={header.active} hint={header.activeHint}>
              {formatDuration(session.activeMs)} {header.over} {formatDuration(session.to - session.from)}
            </Fact>
            <TokenClasses usage={session.usage} />
          </>
        )}
        <Fact name={STRINGS.compare}>
          <a href={compareAddress(route, undefined)}>{STRINGS.withAnother}</a>
        </Fact>
      </dl>
      {session !== undefined && <WarningList tab={route.tab} warnings={session.warnings} />}
    </section>
  );
}

const CLASSES = [
  ["input", "inputTokens"],
  ["output", "outputTokens"],
  ["cacheRead", "cacheReadTokens"],
  ["cacheWrite", "cacheWriteTokens"],
] as const;

/** The tokens of a session by class. */
function TokenClasses({ usage }: { readonly usage: TokenUsage }) {
  const total = totalTokens(usage);
  if (total === 0) return <Fact name={header.tokens}>{STRINGS.noTokenCounts}</Fact>;
  return (
    <Fact name={header.tokens} hint={`${formatCount(total)} ${header.tokens}`}>
      <b>{formatTokens(total)}</b>
      <span className={styles.classes}>
        {CLASSES.map(([name, field]) => (
          <span key={name} title={formatCount(usage[field])}>
            {header[name]} {formatTokens(usage[field])}
          </span>
        ))}
      </span>
    </Fact>
  );
}

/** The lists that each view is made of. */
const LISTS: { readonly [tab in SessionTab]: readonly SessionListName[] } = {
  trace: ["trace"],
  agents: ["orchestration"],
  messages: ["messages"],
  context: ["messages", "trace"],
  summary: ["messages", "trace"],
};

interface WarningListProps {
  readonly tab: SessionTab | undefined;
  readonly warnings: SessionState["warnings"];
}

/** What a view lacks, or does not show as it is stored, because it could not be read. */
function WarningList({ tab, warnings }: WarningListProps) {
  const missing = (tab === undefined ? [] : LISTS[tab]).flatMap((list) => warnings[list]);
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
