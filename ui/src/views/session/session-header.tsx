import type { SessionNews } from "../../engine/trace-protocol.js";
import type { SessionRoute } from "../../model/address.js";
import { formatCount, formatDuration } from "../../model/formats.js";
import { STRINGS } from "../../strings.js";
import { CopyButton } from "../parts/copy-button.js";
import { Instant } from "../parts/instant.js";
import { StatusMark } from "../parts/status-mark.js";
import styles from "./session-header.module.css";
import { SessionWarnings } from "./session-warnings.js";
import { TokenClasses } from "./token-classes.js";

const { header } = STRINGS;

interface SessionHeaderProps {
  readonly route: SessionRoute;
  readonly news: SessionNews | undefined;
}

export function SessionHeader({ route, news }: SessionHeaderProps) {
  const item = news?.item;
  const title = item?.title || route.sessionId;
  return (
    <section className={styles.header} aria-label={STRINGS.columns.title}>
      <div className={styles.line}>
        <h1 title={title}>{title}</h1>
        {item !== undefined && <StatusMark status={item.status} />}
        {news !== undefined && news.totals.errors > 0 && (
          <StatusMark status="failed" label={header.errors(news.totals.errors)} />
        )}
        <CopyButton label={header.copyId} text={() => route.sessionId} />
      </div>
      <dl className={styles.facts}>
        <Fact name={STRINGS.columns.user}>{item?.userId || header.noUser}</Fact>
        <Fact name={STRINGS.detail.model}>{news?.models.join(", ") || header.unknownModel}</Fact>
        {news !== undefined && news.events > 0 && (
          <>
            <Fact name={header.started}>
              <Instant at={news.from} />
            </Fact>
            <Fact name={header.turns}>{formatCount(item?.turns ?? 0)}</Fact>
            <Fact name={header.active}>
              {formatDuration(news.activeMs)} {header.over} {formatDuration(news.to - news.from)}
            </Fact>
            <TokenClasses usage={news.usage} />
          </>
        )}
      </dl>
      {news !== undefined && <SessionWarnings tab={route.tab} warnings={news.warnings} />}
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
