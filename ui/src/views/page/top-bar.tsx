import type { ReactNode } from "react";
import { backAddress } from "../../app/list-place.js";
import { useSessionItem } from "../../app/use-engine.js";
import type { Route } from "../../model/address.js";
import { tenantName } from "../../model/tenant-name.js";
import { STRINGS } from "../../strings/strings.js";
import { ListSearch } from "./list-search.js";
import styles from "./top-bar.module.css";

interface TopBarProps {
  readonly route: Route;
  /** What is needed once in a while. The browser opens and closes it. */
  readonly menu: ReactNode;
  onCommands(): void;
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

/** One line: the way back to the sessions, the search, and a menu of the rest. */
export function TopBar({ route, menu, onCommands }: TopBarProps) {
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
        <a
          href={session === undefined ? "#/" : backAddress(route)}
          className={styles.brand}
          aria-label={STRINGS.product}
          title={session === undefined ? STRINGS.toSessions : STRINGS.backToSessions}
        >
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
      <div className={styles.search}>
        {route.view === "sessions" ? (
          <ListSearch query={route.query} />
        ) : (
          <button type="button" onClick={onCommands} title={STRINGS.commands.find}>
            <span>{STRINGS.commands.find}</span> <kbd>Ctrl K</kbd>
          </button>
        )}
      </div>
      <button
        type="button"
        popoverTarget="menu"
        className={styles.more}
        aria-label={STRINGS.commands.menu}
        title={STRINGS.commands.menu}
      >
        ⋯
      </button>
      <div id="menu" popover="auto" className={styles.menu}>
        {menu}
      </div>
    </header>
  );
}
