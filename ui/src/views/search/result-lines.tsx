import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import { isSameSession } from "../../../../src/domain/session/session-key.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { rememberHit } from "../../app/hit-steps.js";
import type { SearchLine } from "../../engine/search/search-protocol.js";
import type { HitRef } from "../../engine/search/search-store.js";
import { sessionAddress } from "../../model/address/address.js";
import { hitAddress, hitKey, searchQuery, type ValidRoute } from "../../model/search/search.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { STRINGS } from "../../strings/strings.js";
import { Instant } from "../parts/instant.js";
import styles from "./search-results.module.css";
import { Snippet } from "./snippet.js";

const { search } = STRINGS;

interface ResultLineProps {
  readonly line: SearchLine | undefined;
  readonly route: ValidRoute;
  readonly opened: HitRef | undefined;
}

export function ResultLine({ line, route, opened }: ResultLineProps) {
  if (line === undefined) return <div className={styles.row} aria-busy="true" />;
  if (line.type === "hit") return <HitLine hit={line.hit} route={route} opened={opened} />;
  if (line.type === "pending") return <div className={styles.row} aria-busy="true" />;
  if (line.type === "none") return <div className={styles.none}>{search.noneInKinds}</div>;
  const { tenantId, sessionId, tenant, hits, countIs = "exact", lastActive } = line;
  const query = { ...searchQuery(route.query), across: "1" };
  const address = sessionAddress({ tenantId, sessionId }, "trace", query);
  return (
    <div className={styles.session}>
      <a href={address} title={sessionId}>
        {sessionTitle(line) ?? <code>{sessionId}</code>}
      </a>
      <small title={tenant.full}>
        {tenant.name}
        {tenant.source !== undefined && ` · ${tenant.source}`}
      </small>
      <a className={styles.all} href={address} title={search.countTitle[countIs]}>
        {search.countIs[countIs](formatCount(hits))}
      </a>
      <span className={styles.when}>
        {lastActive !== undefined && <Instant at={Date.parse(lastActive)} now={Date.now()} />}
      </span>
    </div>
  );
}

interface HitLineProps {
  readonly hit: SearchHit;
  readonly route: ValidRoute;
  readonly opened: HitRef | undefined;
}

function HitLine({ hit, route, opened }: HitLineProps) {
  const isOpened = opened?.key === hitKey(hit) && isSameSession(opened, hit);
  return (
    <a
      className={styles.hit}
      href={hitAddress(hit, route)}
      aria-current={isOpened ? "true" : undefined}
      onClick={() => rememberHit(hit)}
    >
      <span className={styles.kind} data-kind={hit.in}>
        {search.kinds[hit.in]}
      </span>
      <span className={styles.source}>{hitSource(hit)}</span>
      <span className={styles.text}>
        <Snippet snippet={hit.snippet} />
      </span>
      <span className={styles.count}>{hit.matches > 1 && search.matches(formatCount(hit.matches))}</span>
      <span className={styles.time}>
        {hit.timestamp !== undefined && <Instant at={Date.parse(hit.timestamp)} now={Date.now()} />}
      </span>
    </a>
  );
}

function hitSource({ toolName, role, type, messageIndex }: SearchHit): string {
  return toolName ?? role ?? type ?? (messageIndex === undefined ? "" : search.message(messageIndex));
}
