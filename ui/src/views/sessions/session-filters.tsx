import type { RefObject } from "react";
import type { ListNews } from "../../engine/list-desk.js";
import type { Query } from "../../model/address.js";
import { formatCount } from "../../model/formats.js";
import { STRINGS } from "../../strings.js";
import { Choice } from "../parts/choice.js";
import { leaveOnEscape } from "../parts/leave-on-escape.js";
import styles from "./sessions-view.module.css";

interface SessionFiltersProps {
  readonly query: Query;
  readonly news: ListNews | undefined;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  onChange(changes: Query): void;
}

const { list, columns, statuses } = STRINGS;

export function SessionFilters({ query, news, searchRef, onChange }: SessionFiltersProps) {
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
