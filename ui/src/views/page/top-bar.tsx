import { nextTheme, nextZone, usePreferences } from "../../app/preferences.js";
import { useSessionItem } from "../../app/use-engine.js";
import type { Route } from "../../model/address.js";
import { tenantName } from "../../model/tenant-name.js";
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

/** Leads to all sessions of the tenant. */
function TenantLink({ session }: { readonly session: Parameters<typeof tenantName>[0] }) {
  const { name, whole } = tenantName(session);
  return (
    <a href={`#/?tenant=${encodeURIComponent(session.tenantId)}`} className={styles.tenant} title={whole}>
      {name}
    </a>
  );
}

export function TopBar({ route, onCommands, onKeys }: TopBarProps) {
  const { theme, zone } = usePreferences();
  const { commands, keys } = STRINGS;
  const session = route.view === "session" ? route : undefined;
  const item = useSessionItem(session);
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
        <a href="#/" className={styles.brand} aria-label={STRINGS.product}>
          <Logo />
          <span className={styles.product}>{STRINGS.product}</span>
        </a>
        {session !== undefined && (
          <>
            <span aria-hidden="true">/</span>
            <TenantLink session={item ?? session} />
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
