import "../../styles/tokens.css";
import "../../styles/base.css";
import { options } from "preact";
import { lazy, Suspense, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { currentRoute, goTo, useRoute } from "../../app/address-store.js";
import { backAddress } from "../../app/list-place.js";
import { nextTheme, nextZone } from "../../app/preferences.js";
import { useArrival } from "../../app/use-arrival.js";
import { useSessionItem } from "../../app/use-engine.js";
import { useCommandKey, useKeys } from "../../app/use-keys.js";
import { useSearchRequest } from "../../app/use-search.js";
import { searchRequest } from "../../model/search.js";
import { sessionTitle } from "../../model/session-title.js";
import { STRINGS } from "../../strings/strings.js";
import { CommandPalette } from "../commands/command-palette.js";
import { KeysDialog } from "../commands/keys-dialog.js";
import { PreferencesMenu } from "../commands/preferences-menu.js";
import { Notice, ViewBoundary } from "../parts/notice.js";
import { SessionView } from "../session/session-view.js";
import { SessionsView } from "../sessions/sessions-view.js";
import { Announcements } from "./announcements.js";
import { pageTitle } from "./page-title.js";
import { TopBar } from "./top-bar.js";

const CompareView = lazy(() => import("../compare/compare-view.js"));

// Effects ask the engine for what is shown, and open dialogs that the next key is meant for: neither waits for a frame.
options.requestAnimationFrame = queueMicrotask;

/** Shows the page in an element. */
export function show(element: HTMLElement): void {
  createRoot(element).render(<App />);
}

/** The page: a bar on top, and the view that the address names. */
function App() {
  const route = useRoute();
  const [dialog, setDialog] = useState<"commands" | "keys">();
  const item = useSessionItem(route.view === "session" ? route : undefined);
  const title = pageTitle(route, item && sessionTitle(item));
  useEffect(() => {
    document.title = title;
  }, [title]);
  useArrival(route);
  useSearchRequest("address", searchRequest(route));
  useCommandKey(() => setDialog("commands"));
  useKeys({
    "?": () => setDialog("keys"),
    t: nextTheme,
    z: nextZone,
    u: () => goTo(backAddress(currentRoute())),
  });
  const close = () => setDialog(undefined);
  return (
    <>
      <TopBar
        route={route}
        menu={<PreferencesMenu onCommands={() => setDialog("commands")} onKeys={() => setDialog("keys")} />}
        onCommands={() => setDialog("commands")}
      />
      {route.view === "sessions" && <SessionsView query={route.query} />}
      {route.view === "session" && <SessionView key={`${route.tenantId} ${route.sessionId}`} route={route} />}
      {route.view === "compare" && (
        <main id="content" tabIndex={-1}>
          <ViewBoundary>
            <Suspense fallback={null}>
              <CompareView route={route} />
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
