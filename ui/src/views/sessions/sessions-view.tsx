import { type RefObject, useDeferredValue, useMemo, useRef } from "react";
import { changeAddress } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useList } from "../../app/use-engine.js";
import { blurOnEscape, useKeys } from "../../app/use-keys.js";
import type { SessionListState } from "../../engine/list-protocol.js";
import { listQuery } from "../../engine/list-protocol.js";
import { changeQuery, type Query } from "../../model/address.js";
import { formatCount } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { Choice } from "../parts/choice.js";
import { Notice, ProblemBanner, ProblemNotice } from "../parts/notice.js";
import { SearchResults } from "../search/search-results.js";
import { SessionTable } from "./session-table.js";
import styles from "./sessions-view.module.css";

/** All sessions: search, filters, and the table. Their state is kept in the address. */
export function SessionsView({ query }: { readonly query: Query }) {
  const q = useDeferredValue(query.q ?? "");
  const { source = "", tenant = "", user = "", status = "", sort = "", group = "" } = query;
  const wanted = useMemo(
    () => listQuery({ source, tenant, user, status, q, sort, group }),
    [source, tenant, user, status, q, sort, group],
  );
  const list = useList(wanted);
  const search = useRef<HTMLInputElement>(null);
  const change = (changes: Query) => changeAddress(changeQuery(query, changes));
  useKeys({ "/": () => search.current?.focus(), g: () => change({ group: wanted.grouped ? "" : "1" }) });

  const filtered = source !== "" || tenant !== "" || user !== "" || status !== "" || q !== "";
  const empty = list !== undefined && list.sessions === 0;
  return (
    <main id="content" tabIndex={-1} className={styles.view} data-searching={q !== ""}>
      <h1 className="visually-hidden">{STRINGS.sessions}</h1>
      <SessionFilters query={query} list={list} searchRef={search} onChange={change} />
      {list !== undefined && <MissingSessions list={list} />}
      {list?.problem !== undefined && !empty && <ProblemBanner problem={list.problem} />}
      {list?.problem !== undefined && empty && (
        <ProblemNotice problem={list.problem} onRetry={() => engine.call("refreshList")} />
      )}
      {list !== undefined && !empty && <SessionTable list={list} sort={wanted.sort} onChange={change} />}
      {empty && list.problem === undefined && q === "" && (
        <EmptyList loading={!list.complete} filtered={filtered} />
      )}
      {q !== "" && <SearchResults query={query} noTitles={empty && list.complete} onChange={change} />}
    </main>
  );
}

function EmptyList({ loading, filtered }: { readonly loading: boolean; readonly filtered: boolean }) {
  const { list } = STRINGS;
  if (loading) return <Notice title={list.loading} later={list.loadingLong} />;
  if (!filtered) return <Notice title={list.none}>{list.noneHint}</Notice>;
  return (
    <Notice title={list.noMatch}>
      <p>{list.noMatchHint}</p>
      <button type="button" onClick={() => changeAddress({})}>
        {list.clear}
      </button>
    </Notice>
  );
}

interface SessionFiltersProps {
  readonly query: Query;
  readonly list: SessionListState | undefined;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  onChange(changes: Query): void;
}

const { list: strings, columns, statuses } = STRINGS;

function SessionFilters({ query, list, searchRef, onChange }: SessionFiltersProps) {
  const grouped = query.group === "1";
  return (
    <search className={styles.filters}>
      <input
        ref={searchRef}
        type="search"
        aria-label={strings.search}
        placeholder={strings.search}
        value={query.q ?? ""}
        onChange={(event) => onChange({ q: event.currentTarget.value })}
        onKeyDown={blurOnEscape}
      />
      {((list?.sources ?? []).length > 0 || query.source !== undefined) && (
        <Choice
          label={columns.source}
          all={strings.anySource}
          value={query.source ?? ""}
          options={(list?.sources ?? []).map((value) => ({ value }))}
          onChoose={(source) => onChange({ source })}
        />
      )}
      <Choice
        label={columns.tenant}
        all={strings.anyTenant}
        value={query.tenant ?? ""}
        options={list?.tenants ?? []}
        onChoose={(tenant) => onChange({ tenant })}
      />
      {!(list?.complete && list.users.length === 0 && query.user === undefined) && (
        <Choice
          label={columns.user}
          all={strings.anyUser}
          value={query.user ?? ""}
          options={(list?.users ?? []).map((value) => ({ value }))}
          onChoose={(user) => onChange({ user })}
        />
      )}
      <Choice
        label={columns.status}
        all={strings.anyStatus}
        value={query.status ?? ""}
        options={Object.entries(statuses).map(([value, label]) => ({ value, label }))}
        onChoose={(status) => onChange({ status })}
      />
      <button type="button" aria-pressed={grouped} onClick={() => onChange({ group: grouped ? "" : "1" })}>
        {strings.group}
      </button>
      <output className={styles.count}>
        {list !== undefined && (list.sessions > 0 || list.complete) && countText(list, query)}
        {list?.loading && !list.complete && list.sessions > 0 && ` · ${strings.loadingMore}`}
        {query.sort !== undefined && list?.complete === false && ` · ${strings.sortedSoFar}`}
      </output>
      {list?.complete === false && list.progress !== undefined && (
        <progress
          className={styles.progress}
          aria-label={strings.read}
          value={list.progress.read}
          max={list.progress.total}
        />
      )}
    </search>
  );
}

/** With other filters than the tenant's, nobody knows how many sessions match before all were read. */
function countText({ sessions, progress, complete }: SessionListState, { user, status, q }: Query): string {
  const isFiltered = Boolean(user || status || q);
  if (complete || isFiltered || progress === undefined)
    return strings.count(formatCount(sessions), !complete);
  return strings.countOf(formatCount(sessions), formatCount(progress.total));
}

/** Which folders could not be read. */
function MissingSessions({ list: { warnings } }: { readonly list: SessionListState }) {
  if (warnings.length === 0) return null;
  return (
    <p className={styles.missing} role="alert">
      {strings.missing} {warnings.map(({ reason }) => reason).join(" ")}
    </p>
  );
}
