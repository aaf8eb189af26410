import { useDeferredValue, useMemo, useRef } from "react";
import { changeAddress } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useKeys } from "../../app/use-keys.js";
import { useList } from "../../app/use-list.js";
import { listQuery } from "../../engine/list-query.js";
import { changeQuery, type Query } from "../../model/address.js";
import { STRINGS } from "../../strings.js";
import { Notice, ProblemBanner, ProblemNotice } from "../parts/notice.js";
import { SessionFilters } from "./session-filters.js";
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
