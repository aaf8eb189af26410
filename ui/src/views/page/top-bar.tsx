import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { exactTerm } from "../../../../src/domain/filter/filter-text.js";
import { changeAddress } from "../../app/address-store.js";
import { backAddress } from "../../app/list-position.js";
import { isServed } from "../../app/page-parts.js";
import { focusResult } from "../../app/result-focus.js";
import { useSessionItem } from "../../app/use-engine.js";
import { useKeys } from "../../app/use-keys.js";
import {
  type AddressQuery,
  changeQuery,
  formatAddress,
  OVERVIEW_ADDRESS,
  type Route,
  SOURCES_ADDRESS,
} from "../../model/address/address.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { tenantName } from "../../model/text/tenant-name.js";
import { OVERVIEW_STRINGS } from "../../strings/overview-strings.js";
import { SOURCES_STRINGS } from "../../strings/sources-strings.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./top-bar.module.css";

interface TopBarProps {
  readonly route: Route;
  readonly search: ReactNode;
  /** Occasional settings; the browser opens and closes it. */
  readonly menu: ReactNode;
  onCommands(): void;
}

/** The icon in `index.html` is the same. */
function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="18" height="18" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#4451c9" />
      <path d="M7 10h12M11 16h14M9 22h8" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

function TenantLink({ session }: { readonly session: Parameters<typeof tenantName>[0] }) {
  const { name, full: fullName } = tenantName(session);
  return (
    <a
      href={formatAddress({ view: "sessions", query: { filter: exactTerm("tenant", session.tenantId) } })}
      className={styles.tenant}
      title={fullName}
    >
      {name}
    </a>
  );
}

const PAGES = [
  { view: "sessions", address: "#/", name: STRINGS.sessions, hint: STRINGS.toSessions },
  { view: "overview", address: OVERVIEW_ADDRESS, name: OVERVIEW_STRINGS.title, hint: OVERVIEW_STRINGS.hint },
  ...(isServed
    ? [
        {
          view: "sources",
          address: SOURCES_ADDRESS,
          name: STRINGS.sources,
          hint: SOURCES_STRINGS.toSourcesHint,
        },
      ]
    : []),
];

function PageLinks({ view: current }: { readonly view: Route["view"] }) {
  return (
    <ul className={styles.pages}>
      {PAGES.map(({ view, address, name, hint }) => (
        <li key={view}>
          <a href={address} data-tip={hint} aria-current={view === current ? "page" : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function TopBar({ route, search, menu, onCommands }: TopBarProps) {
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
          data-tip={session === undefined ? STRINGS.toSessions : STRINGS.backToSessions}
        >
          <Logo />
          <span className={styles.product}>{STRINGS.product}</span>
        </a>
        {session !== undefined && (
          <>
            <span aria-hidden="true">/</span>
            <TenantLink session={item ?? session} />
            <span aria-hidden="true">/</span>
          </>
        )}
        {session === undefined && <PageLinks view={route.view} />}
      </nav>
      {session !== undefined && (
        <h1 className={styles.title} title={item?.title ?? session.sessionId}>
          {(item && sessionTitle(item)) ?? session.sessionId}
        </h1>
      )}
      {session !== undefined && <div className={styles.sessionSearch}>{search}</div>}
      {session !== undefined && (
        <button
          type="button"
          className={styles.commands}
          onClick={onCommands}
          data-tip={STRINGS.commands.find}
        >
          <kbd>Ctrl K</kbd> <span className="visually-hidden">{STRINGS.commands.find}</span>
        </button>
      )}
      {session === undefined && (
        <div className={styles.search}>
          {route.view === "sessions" ? (
            <ListSearch query={route.query} />
          ) : (
            <button type="button" onClick={onCommands}>
              <span>{STRINGS.commands.find}</span> <kbd>Ctrl K</kbd>
            </button>
          )}
        </div>
      )}
      <button
        type="button"
        popoverTarget="menu"
        className={styles.more}
        aria-label={STRINGS.commands.menu}
        data-tip={STRINGS.commands.menu}
      >
        ⋯
      </button>
      <div id="menu" popover="auto" className={styles.menu}>
        {menu}
      </div>
    </header>
  );
}

/** Enter and the down arrow lead to the results. Escape clears the field, then leaves it. */
function ListSearch({ query }: { readonly query: AddressQuery }) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  const { q = "" } = query;
  const searchFor = (words: string) => changeAddress(changeQuery(query, { q: words }));
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (q === "") field.current?.blur();
      else searchFor("");
    }
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      focusResult();
    }
  };
  return (
    <search>
      <input
        ref={field}
        type="search"
        aria-label={STRINGS.list.search}
        placeholder={STRINGS.list.search}
        value={q}
        onChange={(event) => searchFor(event.currentTarget.value)}
        onKeyDown={press}
      />
      <span aria-hidden="true">
        <kbd>/</kbd>
      </span>
    </search>
  );
}
