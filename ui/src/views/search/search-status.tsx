import { formatCount } from "../../../../src/domain/text/figures.js";
import { engine } from "../../app/engine.js";
import { MOST_NOTES, type SearchName, type SearchState } from "../../engine/search/search-protocol.js";
import { withOther } from "../../model/search/search.js";
import { STRINGS } from "../../strings/strings.js";
import { SearchProgress } from "./search-progress.js";
import styles from "./search-results.module.css";

const { search, problems } = STRINGS;

interface SearchStatusProps {
  readonly name: SearchName;
  readonly state: SearchState | undefined;
  /** @param kinds entry of the address that adds other records */
  onOther?(kinds: string): void;
}

/** Never reports "nothing" before everything was searched. */
export function SearchStatus({ name, state, onOther }: SearchStatusProps) {
  if (state === undefined || state.request === undefined) {
    return (
      <p className={styles.status} role="status">
        {search.searching}
      </p>
    );
  }
  const { status, problem, hits, notes, request } = state;
  const other =
    onOther !== undefined && status === "done" && hits === 0 ? withOther(request.kinds) : undefined;
  const searchOn = () => void engine.call("searchOn", name);
  return (
    <>
      {(status !== "failed" || hits > 0) && (
        <div className={styles.status}>
          <strong role="status">{resultText(state)}</strong>
          <SearchProgress state={state} />
          {status === "paused" && (
            <>
              <span>
                {name === "sessions"
                  ? search.pausedAtSessions(formatCount(state.sessions))
                  : search.paused(formatCount(hits))}
              </span>
              <button type="button" onClick={searchOn}>
                {search.goOn}
              </button>
            </>
          )}
          {other !== undefined && (
            <button type="button" onClick={() => onOther?.(other)}>
              {search.alsoOther}
            </button>
          )}
        </div>
      )}
      {status === "failed" && (
        <p className={styles.problem} role="alert">
          {problem?.status === 400
            ? problem.detail
            : `${problems[problem?.kind ?? "failed"]}: ${problem?.detail}`}{" "}
          {problem?.status !== 400 && (
            <button type="button" onClick={searchOn}>
              {search.retry}
            </button>
          )}
        </p>
      )}
      <SearchNotes notes={notes} />
    </>
  );
}

function SearchNotes({ notes }: Pick<SearchState, "notes">) {
  const [first, ...others] = notes;
  if (others.length === 0) return first !== undefined && <p className={styles.note}>{first}</p>;
  const more = search.countIs[notes.length < MOST_NOTES ? "exact" : "least"](formatCount(others.length));
  return (
    <details className={styles.note}>
      <summary>
        {first} {search.moreNotes(more)}
      </summary>
      <ul>
        {others.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}

function resultText({ status, hits, sessions, isAbout }: SearchState): string {
  if (hits > 0) return (isAbout ? search.hitsAbout : search.hits)(formatCount(hits), formatCount(sessions));
  return status === "done" ? search.nothing : search.nothingYet;
}
