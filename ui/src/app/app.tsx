import "../styles/tokens.css";
import "../styles/base.css";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { TEXTS } from "../texts.js";
import { Notice } from "../views/parts/notice.js";
import { SessionView } from "../views/session/session-view.js";
import { SessionsView } from "../views/sessions/sessions-view.js";
import { goTo, useRoute } from "./address-store.js";
import { CommandPalette } from "./command-palette.js";
import { KeysDialog } from "./keys-dialog.js";
import { nextTheme, nextZone } from "./preferences.js";
import { TopBar } from "./top-bar.js";
import { useCommandKey } from "./use-command-key.js";
import { useKeys } from "./use-keys.js";

/** Shows the page in an element. */
export function show(element: HTMLElement): void {
  createRoot(element).render(<App />);
}

/** The page: a bar on top, and the view that the address names. */
function App() {
  const route = useRoute();
  const [dialog, setDialog] = useState<"commands" | "keys">();
  useCommandKey(() => setDialog("commands"));
  useKeys({ "?": () => setDialog("keys"), t: nextTheme, z: nextZone, u: () => goTo("#/") });
  const close = () => setDialog(undefined);
  return (
    <>
      <TopBar route={route} onCommands={() => setDialog("commands")} onKeys={() => setDialog("keys")} />
      {route.view === "sessions" && <SessionsView query={route.query} />}
      {route.view === "session" && <SessionView key={`${route.tenantId} ${route.sessionId}`} route={route} />}
      {route.view === "unknown" && (
        <main id="content" tabIndex={-1}>
          <h1 className="visually-hidden">{TEXTS.product}</h1>
          <Notice title={TEXTS.unknownAddress}>
            <a href="#/">{TEXTS.toSessions}</a>
          </Notice>
        </main>
      )}
      {dialog === "commands" && <CommandPalette onClose={close} onKeys={() => setDialog("keys")} />}
      {dialog === "keys" && <KeysDialog onClose={close} />}
    </>
  );
}
