import { Suspense, useEffect, useRef } from "react";
import { stateOf } from "../../../../src/domain/session/session.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { endpointAddress } from "../../api/endpoint-address.js";
import { goTo } from "../../app/address-store.js";
import { useAnnounced } from "../../app/announcer.js";
import { apiBase, engine } from "../../app/engine.js";
import { isServed } from "../../app/page-parts.js";
import { SearchedText } from "../../app/searched-text.js";
import { isSharing, visiblePart } from "../../app/share-request.js";
import { useStore } from "../../app/store.js";
import { useSession } from "../../app/use-engine.js";
import { useKeys } from "../../app/use-keys.js";
import { useMatchMarks } from "../../app/use-match-marks.js";
import { useTabMark } from "../../app/use-tab-mark.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import {
  changeQuery,
  compareAddress,
  firstTab,
  type OpenedRoute,
  SESSION_TABS,
  type SessionTab,
  sessionAddress,
  speakerOf,
} from "../../model/address/address.js";
import { searchQuery } from "../../model/search/search.js";
import { STRINGS } from "../../strings/strings.js";
import { copyForAgent } from "../parts/copy-for-agent.js";
import { ErrorBoundary } from "../parts/error-boundary.js";
import { lazyView } from "../parts/lazy-view.js";
import { ProblemBanner, ProblemNotice } from "../parts/notice.js";
import { Skeleton } from "../parts/skeleton.js";
import type { TabProps } from "../parts/tab-props.js";
import { ViewBoundary } from "../parts/view-boundary.js";
import { stepToError } from "../trace/error-steps.js";
import { TraceView } from "../trace/trace-view.js";
import { SessionHeader } from "./session-header.js";
import styles from "./session-view.module.css";

const AgentsView = lazyView(() => import("../agents/agents-view.js"));
const MessagesView = lazyView(() => import("../messages/messages-view.js"));
const SpeakerChoice = lazyView(() => import("../conversation/speaker-choice.js"));
const loadSummary = () => import("../summary/summary-view.js");
const SummaryView = lazyView(loadSummary);
const ShareDialog = lazyView(() => import("../share/share-dialog.js"));
const ContextView = lazyView(() => import("../context/context-view.js"));

const isConversation = (tab: SessionTab | undefined) => tab === "messages" || tab === "context";

/** Without a view in the address, opens the first one, and adds it to the address. */
export default function SessionView({ route: opened }: { readonly route: OpenedRoute }) {
  const session = useSession(opened);
  const visibleTab = opened.tab ?? firstTabOf(session);
  const route = { ...opened, tab: visibleTab };
  const address = sessionAddress(opened, visibleTab);
  const isNamed = opened.tab !== undefined || visibleTab === undefined;
  useEffect(() => {
    if (!isNamed) goTo(address, true);
  }, [isNamed, address]);
  useEffect(() => {
    if (opened.tab === undefined) void loadSummary();
  }, [opened.tab]);
  const search = searchQuery(route.query);
  const main = useRef<HTMLElement>(null);
  const { q = "", hit } = route.query;
  useMatchMarks(main, q, hit);
  const addressOf = (tab: SessionTab) => {
    // Messages and contexts share the conversation.
    const { agent } = isConversation(tab) && isConversation(route.tab) ? route.query : {};
    return sessionAddress(route, tab, changeQuery(search, { agent }));
  };
  const show = (tab: SessionTab) => () => goTo(addressOf(tab));
  useKeys({
    1: show("trace"),
    2: show("agents"),
    3: show("messages"),
    4: show("context"),
    5: show("summary"),
    c: () => goTo(compareAddress(route, undefined)),
    S: () => isSharing.set(true),
    y: () => void copyForAgent({ session: route, only: visiblePart(route) }),
    e: () => stepToError(1),
    E: () => stepToError(-1),
  });
  useAnnounced(arrivalText(route, session));
  useTabMark(session?.item && stateOf(session.item).kind);
  const retry = () => engine.call("pollSession");
  const problem = session?.problem;
  // The summary's layout needs no facts.
  const isVisible = route.tab === "summary" || (session !== undefined && route.tab !== undefined);
  // A problem replaces an empty view, and stands above any other.
  const isInPlace = problem !== undefined && session?.events === 0;
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <nav className={styles.tabs} aria-label={STRINGS.views}>
          {SESSION_TABS.map((tab, index) => (
            <a key={tab} href={addressOf(tab)} aria-current={route.tab === tab ? "page" : undefined}>
              {STRINGS.tabs[tab]} <kbd>{index + 1}</kbd>
            </a>
          ))}
        </nav>
        <SessionHeader route={route} session={session} />
      </div>
      <Sharing route={route} session={session} />
      {problem !== undefined && !isInPlace && <ProblemBanner problem={problem} />}
      <main ref={main} id="content" tabIndex={-1} className={styles.main}>
        {isInPlace && <ProblemNotice problem={problem} onRetry={retry} />}
        {!isVisible && !isInPlace && <Skeleton label={STRINGS.loading[route.tab ?? "session"]} />}
        {isVisible && !isInPlace && route.tab !== undefined && (
          <SearchedText value={q}>
            <ViewBoundary
              key={route.tab}
              name={STRINGS.tabs[route.tab]}
              json={isServed ? jsonAddress(route, route.tab) : undefined}
            >
              <Suspense fallback={<Skeleton label={STRINGS.loading[route.tab]} />}>
                <SessionTabView route={{ ...route, tab: route.tab }} session={session} />
              </Suspense>
            </ViewBoundary>
          </SearchedText>
        )}
      </main>
    </div>
  );
}

/** Resets the dialog for another session. */
function Sharing({
  route,
  session,
}: {
  readonly route: OpenedRoute;
  readonly session: SessionState | undefined;
}) {
  const isOpen = useStore(isSharing);
  useEffect(() => () => isSharing.set(false), []);
  if (!isOpen) return null;
  return (
    <ErrorBoundary fallback={STRINGS.problems.fileMissing}>
      <Suspense fallback={null}>
        <ShareDialog route={route} session={session} />
      </Suspense>
    </ErrorBoundary>
  );
}

function jsonAddress({ tenantId, sessionId }: SessionKey, tab: SessionTab): string {
  const session = { tenantId, sessionId };
  switch (tab) {
    case "trace":
      return endpointAddress(apiBase(), "/sessions/{sessionId}/trace", session);
    case "agents":
      return endpointAddress(apiBase(), "/sessions/{sessionId}/orchestration", session);
    case "messages":
    case "context":
      return endpointAddress(apiBase(), "/sessions/{sessionId}/messages", session);
    case "summary":
      return endpointAddress(apiBase(), "/sessions/{sessionId}/summary", session);
    default:
      return tab satisfies never;
  }
}

function SessionTabView({
  route,
  session,
}: Pick<TabProps, "route"> & { readonly session: SessionState | undefined }) {
  if (route.tab === "summary") return <SummaryView key={route.sessionId} route={route} session={session} />;
  if (session === undefined) return null;
  const speaker = speakerOf(route.query);
  switch (route.tab) {
    case "trace":
      return <TraceView route={route} session={session} />;
    case "agents":
      return <AgentsView route={route} session={session} />;
    case "messages":
    case "context": {
      const View = route.tab === "messages" ? MessagesView : ContextView;
      return (
        <>
          <SpeakerChoice query={route.query} session={session} />
          <View key={speaker} route={route} session={session} />
        </>
      );
    }
    default:
      route.tab satisfies never;
      return null;
  }
}

/** `undefined` while the state is loading. */
function firstTabOf(session: SessionState | undefined): SessionTab | undefined {
  if (session === undefined || (session.item === undefined && session.loading)) return undefined;
  return firstTab(session.item);
}

/** `undefined` until it has been read. */
function arrivalText({ tab, sessionId }: OpenedRoute, session: SessionState | undefined): string | undefined {
  if (tab === undefined || session === undefined || session.loading || session.problem !== undefined)
    return undefined;
  const { view: visibleTab, events, agents } = STRINGS.arrivals;
  const what = visibleTab(STRINGS.tabs[tab], session.item?.title || sessionId);
  if (tab === "trace") return `${what}, ${events(formatCount(session.events))}`;
  return tab === "agents" ? `${what}, ${agents(formatCount(session.agents.length))}` : what;
}
