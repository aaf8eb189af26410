import { formatCount } from "../../../../src/domain/text/figures.js";
import { changeAddress } from "../../app/address-store.js";
import { stepToHit } from "../../app/hit-steps.js";
import { backAddress } from "../../app/list-position.js";
import { useOrdinal, useSearch } from "../../app/use-search.js";
import type { SearchState } from "../../engine/search/search-protocol.js";
import { changeQuery, formatAddress, type OpenedRoute } from "../../model/address/address.js";
import { isAcross, searchRequest } from "../../model/search/search.js";
import { STRINGS } from "../../strings/strings.js";
import { progressText } from "./search-progress.js";
import { SearchStatus } from "./search-status.js";
import styles from "./session-search.module.css";

const { search: strings } = STRINGS;

export default function SearchPosition({ route }: { readonly route: OpenedRoute }) {
  const { query, tenantId, sessionId } = route;
  const state = useSearch("address", searchRequest(route));
  const ordinal = useOrdinal({ tenantId, sessionId, key: query.hit }, state);
  const across = isAcross(query);
  const { q = "" } = query;
  return (
    <>
      <output data-tip={state && progressText(state)}>{positionText(state, ordinal)}</output>
      <button
        type="button"
        aria-label={strings.previous}
        data-tip={`${strings.previous} (N)`}
        onClick={() => stepToHit(-1)}
      >
        ↑
      </button>
      <button
        type="button"
        aria-label={strings.next}
        data-tip={`${strings.next} (n)`}
        onClick={() => stepToHit(1)}
      >
        ↓
      </button>
      <a href={across ? backAddress(route) : formatAddress({ view: "sessions", query: { q } })}>
        {across ? strings.all : strings.acrossSessions}
      </a>
      <SearchNote route={route} state={state} />
    </>
  );
}

interface SearchNoteProps {
  readonly route: OpenedRoute;
  readonly state: SearchState | undefined;
}

/** An overlay, so that the layout does not move. A failure stays; other messages disappear with the focus. */
function SearchNote({ route, state }: SearchNoteProps) {
  if (state?.request === undefined) return null;
  const { status, hits, notes } = state;
  if (status !== "failed" && notes.length === 0 && (status !== "done" || hits > 0)) return null;
  return (
    <div className={styles.note} data-failed={status === "failed"}>
      <SearchStatus
        name="address"
        state={state}
        onOther={(kinds) => changeAddress(changeQuery(route.query, { in: kinds }))}
      />
    </div>
  );
}

function positionText(state: SearchState | undefined, ordinal: number): string {
  if (state === undefined) return strings.searching;
  const { hits, status } = state;
  if (hits > 0) return strings.position(formatCount(ordinal), formatCount(hits), status !== "done");
  return status === "done" ? strings.noHits : status === "failed" ? "" : strings.noHitsYet;
}
