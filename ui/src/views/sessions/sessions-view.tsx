import { type RefObject, useDeferredValue, useMemo, useRef } from "react";
import { changeAddress } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useList } from "../../app/use-engine.js";
import { leaveOnEscape, useKeys } from "../../app/use-keys.js";
import { listQuery } from "../../engine/list-protocol.js";
import type { ListNews } from "../../engine/session-list-store.js";
import { changeQuery, type Query } from "../../model/address.js";
import { formatCount } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { Choice } from "../parts/choice.js";
import { Notice, ProblemBanner, ProblemNotice } from "../parts/notice.js";
import { SessionTable } from "./session-table.js";
import styles from "./sessions-view.module.css";

/** All sessions: search, filters, and the table. What is asked for stands in the address. */
export function SessionsView({ query }: { readonly query: Query }) {
  const q = useDeferredValue(query.q ?? "");
  const { tenant = "", user = "", status = "", sort = "", group = "" } = query;
  const asked = useMemo(
    () => listQuery({ tenant, user, status, q, sort, group }),
    [tenant, user, status, q, sort, group],
  );
  const news = useList(asked);
  const search = useRef<HTMLInputElement>(null);
  const change = (changes: Query) => changeAddress(changeQuery(query, changes));
  useKeys({ "/": () => search.current?.focus(), g: () => change({ group: asked.grouped ? "" : "1" }) });

  const filtered = tenant !== "" || user !== "" || status !== "" || q !== "";
  const empty = news !== undefined && news.sessions === 0;
  return (
    <main id="content" tabIndex={-1} className={styles.view}>
      <h1 className="visually-hidden">{STRINGS.sessions}</h1>
      <SessionFilters query={query} news={news} searchRef={search} onChange={change} />
      {news?.problem !== undefined && !empty && <ProblemBanner problem={news.problem} />}
      {news?.problem !== undefined && empty && (
        <ProblemNotice problem={news.problem} onRetry={() => engine.call("refreshList")} />
      )}
      {news !== undefined && !empty && <SessionTable news={news} sort={asked.sort} onChange={change} />}
      {empty && news.problem === undefined && <EmptyList loading={!news.complete} filtered={filtered} />}
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
  readonly news: ListNews | undefined;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  onChange(changes: Query): void;
}

const { list, columns, statuses } = STRINGS;

function SessionFilters({ query, news, searchRef, onChange }: SessionFiltersProps) {
  const grouped = query.group === "1";
  return (
    <search className={styles.filters}>
      <input
        ref={searchRef}
        type="search"
        aria-label={list.search}
        placeholder={list.search}
        value={query.q ?? ""}
        onChange={(event) => onChange({ q: event.target.value })}
        onKeyDown={leaveOnEscape}
      />
      <Choice
        label={columns.tenant}
        all={list.anyTenant}
        value={query.tenant ?? ""}
        options={(news?.tenants ?? []).map((value) => ({ value }))}
        onChoose={(tenant) => onChange({ tenant })}
      />
      {!(news?.complete && news.users.length === 0 && query.user === undefined) && (
        <Choice
          label={columns.user}
          all={list.anyUser}
          value={query.user ?? ""}
          options={(news?.users ?? []).map((value) => ({ value }))}
          onChoose={(user) => onChange({ user })}
        />
      )}
      <Choice
        label={columns.status}
        all={list.anyStatus}
        value={query.status ?? ""}
        options={Object.entries(statuses).map(([value, label]) => ({ value, label }))}
        onChoose={(status) => onChange({ status })}
      />
      <button type="button" aria-pressed={grouped} onClick={() => onChange({ group: grouped ? "" : "1" })}>
        {list.group}
      </button>
      <output className={styles.count}>
        {news !== undefined &&
          (news.sessions > 0 || news.complete) &&
          list.count(formatCount(news.sessions), !news.complete)}
        {news?.loading && !news.complete && news.sessions > 0 && ` · ${list.loadingMore}`}
        {query.sort !== undefined && news?.complete === false && ` · ${list.sortedSoFar}`}
      </output>
    </search>
  );
}
