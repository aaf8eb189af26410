import { Suspense, useDeferredValue, useMemo } from "react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { changeAddress } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { prefer, usePreferences } from "../../app/preferences.js";
import { useList } from "../../app/use-engine.js";
import { useKeys } from "../../app/use-keys.js";
import { listQuery, type SessionListState } from "../../engine/sessions/list-protocol.js";
import { type AddressQuery, changeQuery } from "../../model/address/address.js";
import { filterTerms, joinTerms, readFilter } from "../../model/filter/filter-text.js";
import { nextGrouping, writeGrouping } from "../../model/sessions/session-groups.js";
import { FILTER_STRINGS } from "../../strings/filter-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { lazyView } from "../parts/lazy-view.js";
import { Notice, ProblemBanner, ProblemNotice } from "../parts/notice.js";
import { ViewBoundary } from "../parts/view-boundary.js";
import { DueNotice } from "./due-notice.js";
import { SessionFilters } from "./session-filters.js";
import { SessionTable } from "./session-table.js";
import styles from "./sessions-view.module.css";
import { useColumns } from "./use-columns.js";

const SearchResults = lazyView(() => import("../search/search-results.js"));

/** The address stores the state; the top bar has the search field. */
export default function SessionsView({ query }: { readonly query: AddressQuery }) {
  const q = useDeferredValue(query.q ?? "");
  const { zone } = usePreferences();
  const { filter = "", sort = "", group = "" } = query;
  const wanted = useMemo(() => listQuery({ filter, q, sort, group }, zone), [filter, q, sort, group, zone]);
  const list = useList(wanted);
  const columns = useColumns(query, list);
  const change = (changes: AddressQuery) => changeAddress(changeQuery(query, changes));
  useKeys({ g: () => change({ group: writeGrouping(nextGrouping(wanted.grouping)) }) });

  const empty = list !== undefined && list.sessions === 0;
  return (
    <main id="content" tabIndex={-1} className={styles.view} data-searching={q !== ""}>
      <h1 className="visually-hidden">{STRINGS.sessions}</h1>
      <SessionFilters
        query={query}
        list={list}
        columns={columns}
        onChange={change}
        onColumns={(chosen) => {
          prefer({ columns: chosen });
          // The address must not override the new columns.
          if (query.columns !== undefined) change({ columns: "" });
        }}
      />
      {list !== undefined && <MissingSessions list={list} />}
      <DueNotice isWanted={list?.complete === true} />
      {list?.problem !== undefined && !empty && <ProblemBanner problem={list.problem} />}
      {list?.problem !== undefined && empty && (
        <ProblemNotice problem={list.problem} onRetry={() => engine.call("refreshList")} />
      )}
      {list !== undefined && !empty && (
        <SessionTable list={list} query={wanted} columns={columns} onChange={change} />
      )}
      {empty && list.problem === undefined && q === "" && (
        <EmptyList
          query={query}
          list={list}
          isCurrent={JSON.stringify(list.filters) === JSON.stringify(wanted.filters)}
          onChange={change}
        />
      )}
      {empty && q !== "" && (
        <p className={styles.noTitle}>
          {list.complete && (list.filters.q ?? "") === q && STRINGS.search.noTitle}
        </p>
      )}
      {q !== "" && (
        <ViewBoundary name={STRINGS.search.label}>
          <Suspense fallback={null}>
            <SearchResults query={query} onChange={change} />
          </Suspense>
        </ViewBoundary>
      )}
    </main>
  );
}

function MissingSessions({ list: { warnings } }: { readonly list: SessionListState }) {
  if (warnings.length === 0) return null;
  return (
    <p className={styles.missing} role="alert">
      {STRINGS.list.missing} {warnings.map(({ reason }) => reason).join(" ")}
    </p>
  );
}

const { list: strings } = STRINGS;

interface EmptyListProps {
  readonly query: AddressQuery;
  readonly list: SessionListState;
  readonly isCurrent: boolean;
  onChange(changes: AddressQuery): void;
}

function EmptyList({ query, list, isCurrent, onChange }: EmptyListProps) {
  const { filter = "" } = query;
  const chosen = filterTerms(filter);
  if (!list.complete || !isCurrent) {
    const { progress } = list;
    return (
      <Notice title={chosen.length === 0 ? strings.loading : strings.noMatchYet} later={strings.loadingLong}>
        {!list.complete && progress !== undefined && (
          <p>{strings.readSoFar(formatCount(progress.read), formatCount(progress.total))}</p>
        )}
      </Notice>
    );
  }
  if (chosen.length === 0) return <Notice title={strings.none}>{strings.noneHint}</Notice>;
  if ("problem" in readFilter(filter, Date.now(), "UTC")) {
    return <Notice title={FILTER_STRINGS.wrong}>{FILTER_STRINGS.wrongHint}</Notice>;
  }
  return (
    <Notice title={strings.noMatch}>
      <p>{strings.noMatchHint}</p>
      <p className={styles.ways}>
        {chosen.length > 1 &&
          chosen.map((term, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: the same term may be there twice
              key={`${index} ${term}`}
              type="button"
              onClick={() => onChange({ filter: joinTerms(chosen.filter((_, i) => i !== index)) })}
            >
              {FILTER_STRINGS.loosen(term)}
            </button>
          ))}
        <button type="button" onClick={() => changeAddress({})}>
          {strings.clear}
        </button>
      </p>
    </Notice>
  );
}
