import { Suspense, useRef } from "react";
import { changeAddress, currentRoute } from "../../app/address-store.js";
import { stepToHit } from "../../app/hit-steps.js";
import { blurOnEscape, useKeys } from "../../app/use-keys.js";
import { changeQuery, type OpenedRoute } from "../../model/address/address.js";
import { isAcross } from "../../model/search/search.js";
import { STRINGS } from "../../strings/strings.js";
import { ErrorBoundary } from "../parts/error-boundary.js";
import { lazyView } from "../parts/lazy-view.js";
import styles from "./session-search.module.css";

const SearchPosition = lazyView(() => import("./search-position.js"));

const { search: strings } = STRINGS;

/**
 * Searches all tabs and sub-agents. A session from the results of all sessions continues with these, until somebody types. It loads with
 * the page: otherwise typed text would trigger keys of the page.
 */
export function SessionSearch({ route }: { readonly route: OpenedRoute }) {
  const { query } = route;
  const field = useRef<HTMLInputElement>(null);
  useKeys({
    "/": () => field.current?.focus(),
    n: () => stepToHit(1),
    N: () => stepToHit(-1),
  });
  return (
    <search className={styles.search}>
      <input
        ref={field}
        type="search"
        aria-label={strings.inSession}
        placeholder={strings.inSession}
        value={query.q ?? ""}
        onChange={(event) => searchFor(event.currentTarget.value)}
        onKeyDown={(event) => {
          blurOnEscape(event);
          if (event.key === "Enter") stepToHit(event.shiftKey ? -1 : 1);
        }}
      />
      {query.q !== undefined && (
        <ErrorBoundary fallback={null}>
          <Suspense fallback={null}>
            <SearchPosition route={route} />
          </Suspense>
        </ErrorBoundary>
      )}
    </search>
  );
}

function searchFor(q: string): void {
  const { query } = currentRoute() as OpenedRoute;
  const elsewhere = isAcross(query) ? { across: "", filter: "", in: "" } : {};
  changeAddress(changeQuery(query, { ...elsewhere, q, hit: "" }));
}
