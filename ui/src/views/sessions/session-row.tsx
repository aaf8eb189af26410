import { memo } from "react";
import { sessionAddress } from "../../model/address.js";
import { formatCount, formatTokens } from "../../model/formats.js";
import type { SessionLine } from "../../model/session-table.js";
import { tenantName } from "../../model/tenant-name.js";
import { STRINGS } from "../../strings/strings.js";
import { Instant } from "../parts/instant.js";
import { StatusMark } from "../parts/status-mark.js";
import styles from "./session-table.module.css";

interface SessionRowProps {
  readonly index: number;
  readonly top: number;
  readonly line: SessionLine | undefined;
  readonly now: number;
  readonly hasUsers: boolean;
  readonly hasSources: boolean;
  readonly selected: boolean;
}

/** One line of the table. Placed by its offset, because only the rows on the screen are rendered. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { index, top, line, now, hasUsers, hasSources, selected } = props;
  const common = {
    id: `session-${index}`,
    "aria-rowindex": index + 2,
    style: { transform: `translateY(${top}px)` },
  };
  if (line === undefined) return <div {...common} role="row" className={styles.row} aria-busy="true" />;
  if (line.type === "tenant") {
    return (
      <div {...common} role="row" className={styles.tenant}>
        <div role="gridcell">
          <strong title={line.name.whole}>{line.name.name}</strong>
          {` ${STRINGS.list.count(formatCount(line.sessions), false)} · ${formatTokens(line.tokens)} ${STRINGS.header.tokens}`}
          {line.source !== undefined && ` · ${line.source}`}
        </div>
      </div>
    );
  }
  const { session } = line;
  const tenant = tenantName(session);
  return (
    <div {...common} role="row" className={styles.row} aria-selected={selected}>
      <div role="gridcell" data-column="status">
        <StatusMark status={session.status} />
      </div>
      <div role="gridcell" data-column="title">
        {session.warnings !== undefined && (
          <span className={styles.warned} role="img" {...warned(session.warnings)}>
            ⚠
          </span>
        )}
        <a href={sessionAddress(session)} title={session.title ?? session.sessionId} tabIndex={-1}>
          {session.title || <code>{session.sessionId}</code>}
        </a>
      </div>
      {hasSources && (
        <div role="gridcell" data-column="source" title={session.source}>
          {session.source}
        </div>
      )}
      <div role="gridcell" data-column="tenant" title={tenant.whole}>
        {tenant.name}
      </div>
      {hasUsers && (
        <div role="gridcell" data-column="user" title={session.userId}>
          {session.userId || <span className={styles.none}>{STRINGS.list.noUser}</span>}
        </div>
      )}
      <div role="gridcell" data-column="active">
        <Instant at={Date.parse(session.lastActive)} now={now} />
      </div>
      <div role="gridcell" data-column="turns">
        {formatCount(session.turns)}
      </div>
      <div role="gridcell" data-column="tokens" title={formatCount(session.tokens)}>
        {formatTokens(session.tokens)}
      </div>
    </div>
  );
});

function warned(warnings: number) {
  const text = STRINGS.header.warnings(warnings);
  return { title: text, "aria-label": text };
}
