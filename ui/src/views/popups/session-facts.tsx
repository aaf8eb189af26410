import { formatCount, formatDuration, formatLongCost } from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { totalTokens } from "../../../../src/domain/usage/token-usage.js";
import { hasOthers, isServed } from "../../app/page-parts.js";
import { isSharing } from "../../app/share-request.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import { compareAddress, type OpenedRoute } from "../../model/address/address.js";
import { headerFacts } from "../../model/sessions/header-facts.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { STRINGS } from "../../strings/strings.js";
import { CopyButton } from "../parts/copy-button.js";
import { CopyForAgent } from "../parts/copy-for-agent.js";
import { Fact } from "../parts/fact.js";
import { Instant } from "../parts/instant.js";
import { closePopover } from "../parts/popover.js";
import styles from "./session-facts.module.css";

interface SessionFactsProps {
  readonly route: OpenedRoute;
  readonly session: SessionState;
}

const { header, columns } = STRINGS;

const CLASSES = [
  ["input", "inputTokens"],
  ["output", "outputTokens"],
  ["cacheRead", "cacheReadTokens"],
  ["cacheWrite", "cacheWriteTokens"],
] as const;

export default function SessionFacts({ route, session }: SessionFactsProps) {
  const { item } = session;
  const { cost, durationMs, activeMs, models, usage } = headerFacts(session);
  const directory = item?.directory;
  return (
    <div className={styles.facts}>
      <dl>
        <Fact name={columns.title}>{(item && sessionTitle(item)) ?? route.sessionId}</Fact>
        <Fact name={header.id}>
          <code>{route.sessionId}</code> <CopyButton label={header.copyId} text={() => route.sessionId} />
        </Fact>
        <Fact name={columns.tenant}>{route.tenantId}</Fact>
        {item?.source !== undefined && <Fact name={columns.source}>{item.source}</Fact>}
        {directory !== undefined && (
          <Fact name={header.directory}>
            <code>{directory}</code> <CopyButton label={header.copyFolder} text={() => directory} />
          </Fact>
        )}
        <Fact name={columns.user}>{item?.userId || header.noUser}</Fact>
        {item?.labels !== undefined && item.labels.length > 0 && (
          <Fact name={header.labels}>{item.labels.join(", ")}</Fact>
        )}
        <Fact name={STRINGS.detail.model}>{models.join(", ") || header.unknownModel}</Fact>
        {session.events > 0 && plausibleInstant(session.from) !== undefined && (
          <Fact name={header.started}>
            <Instant at={session.from} />
          </Fact>
        )}
        {item !== undefined && (
          <>
            {plausibleInstant(item.lastActive) !== undefined && (
              <Fact name={columns.active}>
                <Instant at={item.lastActive} />
              </Fact>
            )}
            <Fact name={columns.turns}>{formatCount(item.turns)}</Fact>
          </>
        )}
        {durationMs !== undefined && <Fact name={columns.duration}>{formatDuration(durationMs.value)}</Fact>}
        {activeMs !== undefined && (
          <Fact name={header.active} hint={header.activeHint}>
            {formatDuration(activeMs)}
          </Fact>
        )}
        {cost !== undefined && <Fact name={columns.cost}>{formatLongCost(cost.value)}</Fact>}
        <Fact name={columns.tokens}>
          {usage === undefined ? STRINGS.noTokenCounts : formatCount(totalTokens(usage))}
        </Fact>
        {usage !== undefined &&
          CLASSES.map(([name, field]) => (
            <Fact key={name} name={header[name]}>
              {formatCount(usage[field])}
            </Fact>
          ))}
      </dl>
      <p className={styles.actions}>
        {isServed && (
          <button
            type="button"
            onClick={() => {
              closePopover("session-facts");
              isSharing.set(true);
            }}
          >
            {header.share}
          </button>
        )}
        <CopyForAgent session={route} />
        {hasOthers && <a href={compareAddress(route, undefined)}>{STRINGS.compareWith}</a>}
      </p>
    </div>
  );
}
