import { keyText } from "../../../../src/domain/session/session-key.js";
import "../../styles/tokens.css";
import "../../styles/base.css";
import { options } from "preact";
import { Suspense, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { type LiveKind, STATE_WORDS } from "../../../../src/domain/session/session.js";
import { currentRoute, goTo, useRoute } from "../../app/address-store.js";
import { useAnnouncements } from "../../app/announcer.js";
import { backAddress } from "../../app/list-position.js";
import { loadFile } from "../../app/page-files.js";
import { nextTheme, nextZone } from "../../app/preferences.js";
import { exported } from "../../app/surroundings.js";
import { useSessionItem } from "../../app/use-engine.js";
import { useCommandKey, useKeys } from "../../app/use-keys.js";
import { useOverviewFirst } from "../../app/use-overview-first.js";
import { useSearchOfAddress } from "../../app/use-search.js";
import { useTabMarked } from "../../app/use-tab-mark.js";
import { OVERVIEW_ADDRESS, type Route, SOURCES_ADDRESS } from "../../model/address/address.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { OVERVIEW_STRINGS } from "../../strings/overview-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { CommandPalette } from "../commands/command-palette.js";
import { KeysDialog } from "../commands/keys-dialog.js";
import { PreferencesMenu } from "../commands/preferences-menu.js";
import { lazyView } from "../parts/lazy-view.js";
import { Notice } from "../parts/notice.js";
import { ReplacedBanner, ViewBoundary } from "../parts/view-boundary.js";
import { SessionSearch } from "../search/session-search.js";
import styles from "./announcements.module.css";
import { TopBar } from "./top-bar.js";
import { VIEWS } from "./views.js";

const CompareView = lazyView(VIEWS.compare);
const OverviewView = lazyView(VIEWS.overview);
const SessionView = lazyView(VIEWS.session);
const SessionsView = lazyView(VIEWS.sessions);
const SourcesView = lazyView(VIEWS.sources);
const WhyView = lazyView(VIEWS.why);
const ExportNotice = lazyView(() => import("../exported/export-notice.js"));

// Effects request content, and open dialogs for the next key: they must not wait for a frame.
options.requestAnimationFrame = queueMicrotask;

export function show(element: HTMLElement): void {
  createRoot(element).render(<App />);
}

function App() {
  const route = useRoute();
  const [dialog, setDialog] = useState<"commands" | "keys">();
  const item = useSessionItem(route.view === "session" ? route : undefined);
  const state = useTabMarked();
  const title = pageTitle(route, item && sessionTitle(item), state);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useArrival(route);
  useOverviewFirst();
  useSearchOfAddress(route);
  useEffect(() => {
    loadFile(() => import("../popups/tooltips.js")).then(
      ({ showTips }) => showTips(document),
      () => undefined,
    );
  }, []);
  useCommandKey(() => setDialog("commands"));
  useKeys({
    "?": () => setDialog("keys"),
    t: nextTheme,
    z: nextZone,
    s: () => goTo(SOURCES_ADDRESS),
    0: hasZoom(route) ? undefined : () => goTo(OVERVIEW_ADDRESS),
    u: () => goTo(backAddress(currentRoute())),
  });
  const close = () => setDialog(undefined);
  return (
    <>
      <TopBar
        route={route}
        search={route.view === "session" && <SessionSearch key={route.sessionId} route={route} />}
        menu={<PreferencesMenu onCommands={() => setDialog("commands")} onKeys={() => setDialog("keys")} />}
        onCommands={() => setDialog("commands")}
      />
      <ReplacedBanner />
      {exported !== undefined && (
        <Suspense fallback={null}>
          <ExportNotice exported={exported} />
        </Suspense>
      )}
      {(route.view === "sessions" || route.view === "session") && (
        <ViewBoundary key={route.view} name={STRINGS.sessions}>
          <Suspense fallback={null}>
            {route.view === "sessions" && <SessionsView query={route.query} />}
            {route.view === "session" && <SessionView key={keyText(route)} route={route} />}
          </Suspense>
        </ViewBoundary>
      )}
      {(route.view === "compare" ||
        route.view === "sources" ||
        route.view === "overview" ||
        route.view === "why") && (
        <main id="content" tabIndex={-1}>
          <ViewBoundary key={route.view} name={viewName(route.view)}>
            <Suspense fallback={null}>
              {route.view === "compare" && <CompareView route={route} />}
              {route.view === "sources" && <SourcesView />}
              {route.view === "overview" && <OverviewView query={route.query} />}
              {route.view === "why" && <WhyView query={route.query} />}
            </Suspense>
          </ViewBoundary>
        </main>
      )}
      {route.view === "unknown" && (
        <main id="content" tabIndex={-1}>
          <h1 className="visually-hidden">{STRINGS.product}</h1>
          <Notice title={STRINGS.unknownAddress}>
            <a href="#/">{STRINGS.toSessions}</a>
          </Notice>
        </main>
      )}
      <Announcements />
      {dialog === "commands" && <CommandPalette onClose={close} onKeys={() => setDialog("keys")} />}
      {dialog === "keys" && <KeysDialog onClose={close} />}
    </>
  );
}

function viewName(view: "compare" | "sources" | "overview" | "why"): string {
  if (view === "why") return STRINGS.commands.why;
  return view === "overview" ? OVERVIEW_STRINGS.title : STRINGS[view];
}

/** The view uses the key `0` itself. */
function hasZoom(route: Route): boolean {
  return route.view === "session" && (route.tab === undefined || route.tab === "trace");
}

function pageTitle(route: Route, title: string | undefined, state: LiveKind | undefined): string {
  const news = state === undefined ? [] : [STATE_WORDS[state]];
  return [...news, ...titleParts(route, title), STRINGS.product].join(" · ");
}

function titleParts(route: Route, title: string | undefined): readonly string[] {
  if (route.view === "unknown") return [STRINGS.unknownAddress];
  if (route.view === "sources") return [STRINGS.sources];
  if (route.view === "overview") return [OVERVIEW_STRINGS.title];
  if (route.view === "why") return [...(route.query.file ? [route.query.file] : []), STRINGS.commands.why];
  if (route.view === "compare") return [route.sessionId, STRINGS.compare];
  if (route.view === "session") {
    const rendered = title || route.sessionId;
    return route.tab === undefined ? [rendered] : [rendered, STRINGS.tabs[route.tab]];
  }
  return route.query.q ? [route.query.q, STRINGS.search.label] : [STRINGS.sessions];
}

const VISIBLE_MS = 4000;

/** For screen readers; some also at the foot of the page. */
function Announcements() {
  const announcements = useAnnouncements();
  const latest = announcements.findLast(({ isVisible: rendered }) => rendered)?.id;
  const [over, setOver] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setOver(latest), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <div role="status" aria-atomic="false">
      {announcements.map(({ id, text }) => (
        <p key={id} className={id === latest && id !== over ? styles.shown : "visually-hidden"}>
          {text}
        </p>
      ))}
    </div>
  );
}

/** To the content of an opened view, or to the rest of a view without its focused part. A text field retains the focus during typing. */
function useArrival(route: Route): void {
  const { query: _, ...view } = { query: {}, ...route };
  const opened = JSON.stringify(view);
  const rendered = useRef(opened);
  const isDue = useRef(false);
  const held = useRef<Element>(undefined);
  useEffect(() => {
    const hold = (event: FocusEvent) => {
      held.current = event.target as Element;
    };
    addEventListener("focusin", hold);
    return () => removeEventListener("focusin", hold);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the address may take something away
  useEffect(() => {
    const isLost = held.current?.isConnected === false;
    isDue.current ||= rendered.current !== opened;
    rendered.current = opened;
    const { activeElement } = document;
    const content = document.getElementById("content");
    if (!isDue.current) {
      if (!isLost || activeElement !== document.body) return;
      return (content?.querySelector<HTMLElement>('[role="treegrid"], [role="grid"]') ?? content)?.focus();
    }
    const arrive = (element: HTMLElement | null, isFree: boolean) => {
      if (element === null) return;
      isDue.current = false;
      changes.disconnect();
      if (isFree) element.focus();
    };
    // The code of the view may still be loading.
    const changes = new MutationObserver(() =>
      arrive(document.getElementById("content"), document.activeElement === document.body),
    );
    changes.observe(document.body, { subtree: true, childList: true });
    arrive(content, activeElement?.matches("input") !== true);
    return () => changes.disconnect();
  }, [route, opened]);
}
