import "../../styles/tokens.css";
import "../../styles/base.css";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { currentRoute, goTo, useRoute } from "../../app/address-store.js";
import { backAddress } from "../../app/list-place.js";
import { nextTheme, nextZone } from "../../app/preferences.js";
import { useCommandKey, useKeys } from "../../app/use-keys.js";
import { useSearchRequest } from "../../app/use-search.js";
import { searchRequest } from "../../model/search.js";
import { STRINGS } from "../../strings/strings.js";
import { Notice } from "../parts/notice.js";
import { SessionView } from "../session/session-view.js";
import { SessionsView } from "../sessions/sessions-view.js";
import { TopBar } from "./top-bar.js";

/** Shows the page in an element. */
export function show(element: HTMLElement): void {
  createRoot(element).render(<App />);
}

/** The page: a bar on top, and the view that the address names. */
function App() {
  const route = useRoute();
  const [dialog, setDialog] = useState<"commands" | "keys">();
  const dialogs = useDialogs(dialog !== undefined);
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
        menu={
          dialogs && (
            <dialogs.PreferencesMenu
              onCommands={() => setDialog("commands")}
              onKeys={() => setDialog("keys")}
            />
          )
        }
        onCommands={() => setDialog("commands")}
      />
      {route.view === "sessions" && <SessionsView query={route.query} />}
      {route.view === "session" && <SessionView key={`${route.tenantId} ${route.sessionId}`} route={route} />}
      {route.view === "unknown" && (
        <main id="content" tabIndex={-1}>
          <h1 className="visually-hidden">{STRINGS.product}</h1>
          <Notice title={STRINGS.unknownAddress}>
            <a href="#/">{STRINGS.toSessions}</a>
          </Notice>
        </main>
      )}
      {dialogs !== undefined && dialog === "commands" && (
        <dialogs.CommandPalette onClose={close} onKeys={() => setDialog("keys")} />
      )}
      {dialogs !== undefined && dialog === "keys" && <dialogs.KeysDialog onClose={close} />}
    </>
  );
}

/**
 * The dialogs' own code, and the menu's, comes once the page has been drawn, and not only when one is asked for: whoever opens the
 * commands by their key types on at once.
 */
function useDialogs(isAsked: boolean) {
  const [dialogs, setDialogs] = useState<Awaited<ReturnType<typeof loadDialogs>>>();
  const isMissing = dialogs === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what could not be loaded is tried again when it is asked for
  useEffect(() => {
    if (!isMissing) return;
    const timer = setTimeout(() => loadDialogs().then(setDialogs));
    return () => clearTimeout(timer);
  }, [isMissing, isAsked]);
  return dialogs;
}

async function loadDialogs() {
  const [{ CommandPalette }, { KeysDialog }, { PreferencesMenu }] = await Promise.all([
    import("../commands/command-palette.js"),
    import("../commands/keys-dialog.js"),
    import("../commands/preferences-menu.js"),
  ]);
  return { CommandPalette, KeysDialog, PreferencesMenu };
}
