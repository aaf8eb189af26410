import { nextTheme, nextZone, usePreferences } from "../../app/preferences.js";
import type { Route } from "../../model/address.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./top-bar.module.css";

interface TopBarProps {
  readonly route: Route;
  onCommands(): void;
  onKeys(): void;
}

/** Three bars of a waterfall; the page's icon in `index.html` is the same. */
function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="18" height="18" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#4451c9" />
      <path d="M7 10h12M11 16h14M9 22h8" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

export function TopBar({ route, onCommands, onKeys }: TopBarProps) {
  const { theme, zone } = usePreferences();
  const { commands, keys } = STRINGS;
  return (
    <header className={styles.bar}>
      <button
        type="button"
        className={styles.skip}
        onClick={() => document.getElementById("content")?.focus()}
      >
        {STRINGS.skip}
      </button>
      <nav aria-label={STRINGS.product} className={styles.path}>
        <a href="#/" className={styles.brand}>
          <Logo />
          <span className={styles.product}>{STRINGS.product}</span>
        </a>
        {route.view === "session" && (
          <>
            <span aria-hidden="true">/</span>
            <a href={`#/?tenant=${encodeURIComponent(route.tenantId)}`} className={styles.tenant}>
              {route.tenantId}
            </a>
          </>
        )}
      </nav>
      <div className={styles.tools}>
        <button type="button" onClick={onCommands} title={commands.open}>
          {commands.label} <kbd className={styles.key}>Ctrl K</kbd>
        </button>
        <button type="button" onClick={nextZone} title={commands.zone}>
          {commands.zones[zone]}
        </button>
        <button type="button" onClick={nextTheme} title={commands.theme}>
          {commands.themes[theme]}
        </button>
        <button type="button" onClick={onKeys} title={commands.keys} aria-label={keys.label}>
          ?
        </button>
      </div>
    </header>
  );
}
