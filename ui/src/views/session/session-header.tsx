import { type ReactNode, Suspense, useState } from "react";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatLongCost,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import { hasOthers, isServed } from "../../app/page-parts.js";
import { isSharing } from "../../app/share-request.js";
import type { SessionListName, SessionState } from "../../engine/trace/trace-protocol.js";
import {
  compareAddress,
  type OpenedRoute,
  type SessionTab,
  sessionAddress,
} from "../../model/address/address.js";
import { searchQuery } from "../../model/search/search.js";
import { type HeaderFigure, headerFacts } from "../../model/sessions/header-facts.js";
import { shortModel } from "../../model/text/model-name.js";
import { STRINGS } from "../../strings/strings.js";
import { ErrorBoundary } from "../parts/error-boundary.js";
import { lazyView } from "../parts/lazy-view.js";
import { Popover } from "../parts/popover.js";
import { StatusMark } from "../parts/status-mark.js";
import { LiveStatus } from "./live-status.js";
import styles from "./session-header.module.css";

const SessionFacts = lazyView(() => import("../popups/session-facts.js"));

const { header } = STRINGS;

interface SessionHeaderProps {
  readonly route: OpenedRoute;
  readonly session: SessionState | undefined;
}

/** The height does not depend on loading. Without room, the last figures are hidden; "More" has all. */
export function SessionHeader({ route, session }: SessionHeaderProps) {
  return (
    <section className={styles.header} aria-label={STRINGS.columns.title}>
      <div className={styles.facts}>
        {session !== undefined && <Figures route={route} session={session} />}
      </div>
      {session !== undefined && <WarningList tab={route.tab} warnings={session.warnings} />}
      <span className={styles.actions}>
        {isServed && (
          <button type="button" data-tip={header.shareHint} onClick={() => isSharing.set(true)}>
            {header.share}
          </button>
        )}
        {hasOthers && (
          <a href={compareAddress(route, undefined)} data-tip={`${STRINGS.compareWith} (c)`}>
            {STRINGS.compare}
          </a>
        )}
      </span>
      <MoreFacts route={route} session={session} />
    </section>
  );
}

function Figures({ route, session }: { readonly route: OpenedRoute; readonly session: SessionState }) {
  const { errors, cost, tokens, durationMs, activeMs, models } = headerFacts(session);
  const [model] = models;
  return (
    <>
      <span className={styles.status}>
        <LiveStatus route={route} session={session} />
      </span>
      <span className={styles.errors}>
        {errors !== undefined && errors.value > 0 && (
          <a
            href={sessionAddress(route, "trace", { ...searchQuery(route.query), errors: "1" })}
            data-tip={header.showErrors}
          >
            <StatusMark status="failed" label={`${header.errors(errors.value)}${soFar(errors)}`} />
          </a>
        )}
        {errors?.value === 0 && !errors.isSoFar && header.noErrors}
      </span>
      {cost !== undefined && (
        <Figure tip={`${STRINGS.columns.cost}: ${formatLongCost(cost.value)}`} figure={cost}>
          {formatCost(cost.value)}
        </Figure>
      )}
      {tokens === "uncounted" && <span>{STRINGS.noTokenCounts}</span>}
      {tokens !== undefined && tokens !== "uncounted" && (
        <Figure tip={`${formatCount(tokens.value)} ${header.tokens}`} figure={tokens}>
          {formatTokens(tokens.value)} {header.tokens}
        </Figure>
      )}
      {durationMs !== undefined && (
        <Figure
          tip={
            activeMs === undefined
              ? header.span
              : `${header.activeOf(formatDuration(activeMs))}\n${header.activeHint}`
          }
          figure={durationMs}
        >
          {formatDuration(durationMs.value)}
        </Figure>
      )}
      {model !== undefined && (
        <span data-tip={models.join("\n")}>
          {shortModel(model)}
          {models.length > 1 && ` +${models.length - 1}`}
        </span>
      )}
    </>
  );
}

interface FigureProps {
  readonly tip: string;
  readonly figure: HeaderFigure<unknown> | undefined;
  readonly children: ReactNode;
}

function Figure({ tip, figure, children }: FigureProps) {
  return (
    <span data-tip={figure?.isSoFar ? `${tip}\n${header.soFarHint}` : tip}>
      {children}
      {soFar(figure)}
    </span>
  );
}

function soFar(figure: HeaderFigure<unknown> | undefined): string {
  return figure?.isSoFar ? ` ${header.soFar}` : "";
}

function MoreFacts({ route, session }: SessionHeaderProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover id="session-facts" label={header.more} hint={header.moreHint} onToggle={setOpen}>
      {isOpen && session !== undefined && (
        <ErrorBoundary fallback={STRINGS.problems.fileMissing}>
          <Suspense fallback={null}>
            <SessionFacts route={route} session={session} />
          </Suspense>
        </ErrorBoundary>
      )}
    </Popover>
  );
}

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

/** Unreadable records: parts of a view are missing, or differ from the stored data. */
function WarningList({ tab, warnings }: WarningListProps) {
  const missing = (tab === undefined ? [] : LISTS[tab]).flatMap((list) => warnings[list]);
  if (missing.length === 0) return null;
  return (
    <span className={styles.warnings}>
      <Popover id="session-warnings" label={header.warnings(missing.length)} hint={header.warningsHint}>
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
      </Popover>
    </span>
  );
}
